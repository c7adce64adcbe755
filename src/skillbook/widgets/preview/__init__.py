"""The catalogue preview: what sits in the system prompt, and what to leave out."""
