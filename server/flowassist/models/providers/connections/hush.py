"""Vendors' SDKs and HTTP clients do not log: their lines hold headers, addresses and bodies, which may hold keys."""

import logging

LOGGERS = ("anthropic", "openai", "ollama", "ibm_watsonx_ai", "httpx", "httpx2", "httpcore", "httpcore2")


def hushed() -> None:
    """After an SDK was imported: some take a level from the environment then (OPENAI_LOG, ANTHROPIC_LOG)."""
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
