"""Inputs that nobody thought of, for what reads untrusted text: `python -m fuzz`."""
