"""The budget view: what a host's limit leaves of a list of skills."""
