"""The explorer: a list of skills, and one of them from all sides."""
