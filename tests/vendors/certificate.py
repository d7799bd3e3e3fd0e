"""A throw-away certificate for servers on the loopback, made when the first of them needs it."""

import atexit
import ipaddress
import os
import shutil
import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

HANDED_DOWN = "FLOWASSIST_TEST_CERTIFICATE"


@cache
def pem() -> Path:
    """Key and certificate for 127.0.0.1; the certificate is its own authority. Child processes use the same one."""
    if handed_down := os.environ.get(HANDED_DOWN):
        return Path(handed_down)
    folder = Path(tempfile.mkdtemp(prefix="flowassist-certificate-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "loopback.pem"
    path.write_bytes(_made())
    os.environ[HANDED_DOWN] = str(path)
    return path


@cache
def shown() -> ssl.SSLContext:
    """What a server shows to its clients."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem())
    return context


def _made() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "flowassist tests")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return secret + certificate.public_bytes(Encoding.PEM)
