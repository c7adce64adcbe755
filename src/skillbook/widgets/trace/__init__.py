"""The disclosure trace: a session, step by step."""
