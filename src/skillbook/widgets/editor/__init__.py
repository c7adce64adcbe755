"""The editor of a skill: fields, text and files, with the checker's word beside them."""
