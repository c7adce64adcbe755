"""The tool simulator: play the model, call a tool, read what comes back."""
