"""Whom connections to providers trust."""

import ssl
from functools import cache


@cache
def authorities() -> ssl.SSLContext:
    """One for all clients of this process: reading it takes 25 ms. SSL_CERT_FILE and SSL_CERT_DIR count."""
    import httpx2  # noqa: PLC0415 - as slow to load as the SDKs that bring it

    return httpx2.create_ssl_context()
