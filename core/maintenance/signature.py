"""The key of an installation, with which it signs its backups (Ed25519).

A signature carries its public key: whoever restores a backup compares the key's fingerprint with
the one that was shown when the backup was made.
"""

from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from core.atomic_files import write_atomically
from core.errors import LibraryError

KEY_FILE = "installation.key"
_PUBLIC_LENGTH = 32  # bytes


def sign(folder: Path, data: bytes) -> bytes:
    """Return the public key of a data folder and its signature of the data.

    The key is made at its first use. Raises LibraryError `unreadable` where it cannot be.
    """
    path = folder / KEY_FILE
    try:
        if not path.exists():
            write_atomically(path, Ed25519PrivateKey.generate().private_bytes_raw())
        key = Ed25519PrivateKey.from_private_bytes(path.read_bytes())
    except (OSError, ValueError) as error:
        message = f"The key in {path} cannot be used: {error}. Move it away to have another made."
        raise LibraryError(message, code="unreadable") from error
    return key.public_key().public_bytes_raw() + key.sign(data)


def verify(signature: bytes, data: bytes) -> str:
    """Return the fingerprint of the key that signed the data. Raises LibraryError `archive`."""
    public = signature[:_PUBLIC_LENGTH]
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature[_PUBLIC_LENGTH:], data)
    except (InvalidSignature, ValueError) as error:
        message = "The backup was changed after it was signed: do not use it."
        raise LibraryError(message, code="archive") from error
    return sha256(public).hexdigest()[:16]
