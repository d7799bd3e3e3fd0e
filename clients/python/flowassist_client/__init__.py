"""The Python client of flowassist. Messages and the stub are generated from the contract."""
