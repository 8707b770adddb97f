"""A small OpenID Connect provider on loopback: discovery, code with PKCE, signed tokens, keys.

It asks who logs in with a page of links and believes the answer; all else it does as a provider
does (OpenID Connect Core 1.0; RFC 7636 for PKCE). `complaints` holds what a client does wrong.
"""

import json
import secrets
import time
from base64 import b64decode, urlsafe_b64encode
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from tests.messages_server import LocalServer

CLIENT = "scrutineer"
SECRET = "client-secret-of-the-test"


class Provider(LocalServer):
    """Knows people by name (`ada`, `bob` ...), each with an e-mail address at club.example."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.complaints: list[str] = []
        self.codes: dict[str, dict[str, str]] = {}
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        super().__init__(_Connection)
        self._http.provider = self  # type: ignore[attr-defined]

    def secrets(self, app: str) -> str:
        """What `.streamlit/secrets.toml` of a client at the address `app` says."""
        return (
            f'[auth]\nredirect_uri = "{app}/oauth2callback"\n'
            f'cookie_secret = "{secrets.token_hex(16)}"\n'
            f'client_id = "{CLIENT}"\nclient_secret = "{SECRET}"\n'
            f'server_metadata_url = "{self.url}/.well-known/openid-configuration"\n'
        )

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }

    def keys(self) -> dict[str, Any]:
        numbers = self.key.public_key().public_numbers()
        key = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "test"}
        return {"keys": [key | {"n": _number(numbers.n), "e": _number(numbers.e)}]}

    def grant(self, name: str, asked: dict[str, str]) -> str:
        """Where a person who is known now is sent back to."""
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked | {"name": name}
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def redeem(self, form: dict[str, str], authorization: str) -> dict[str, Any] | None:
        """The tokens for a code; None if the code was used before or by another client."""
        asked = self.codes.pop(form.get("code", ""), None)
        if asked is None:
            return self._complain("a code that was not given, or was used before")
        if b64decode(authorization.removeprefix("Basic ")).decode() != f"{CLIENT}:{SECRET}":
            return self._complain("the client's secret is wrong")
        if form.get("redirect_uri") != asked["redirect_uri"]:
            return self._complain("another address to go back to")
        if _encoded(sha256(form.get("code_verifier", "").encode()).digest()) != asked.get(
            "code_challenge"
        ):
            return self._complain("the verifier does not fit the challenge")
        return {
            "access_token": "unused",
            "token_type": "Bearer",
            "expires_in": 60,
            "id_token": self._signed(asked),
        }

    def _complain(self, what: str) -> None:
        self.complaints.append(what)

    def _signed(self, asked: dict[str, str]) -> str:
        name, now = asked["name"], int(time.time())
        claims = {
            "iss": self.url,
            "sub": f"subject-{name}",
            "aud": CLIENT,
            "iat": now,
            "exp": now + 60,
            "nonce": asked["nonce"],
            "name": name.capitalize(),
            "email": f"{name}@club.example",
            "email_verified": True,
        }
        parts = ({"alg": "RS256", "kid": "test"}, claims)
        signed = ".".join(_encoded(json.dumps(part).encode()) for part in parts)
        signature = self.key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{signed}.{_encoded(signature)}"


class _Connection(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        provider: Provider = self.server.provider  # type: ignore[attr-defined]
        address = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(address.query).items()}
        match address.path:
            case "/.well-known/openid-configuration":
                self._send(json.dumps(provider.metadata()), "application/json")
            case "/keys":
                self._send(json.dumps(provider.keys()), "application/json")
            case "/authorize" if "as" in asked:
                self.send_response(302)
                self.send_header("location", provider.grant(asked.pop("as"), asked))
                self.end_headers()
            case "/authorize":
                links = (
                    f'<p><a href="{self.path}&as={name}">{name}</a></p>' for name in provider.names
                )
                self._send("".join(links), "text/html")
            case _:
                self.send_error(404)

    def do_POST(self) -> None:
        provider: Provider = self.server.provider  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        form = {name: values[0] for name, values in parse_qs(body).items()}
        tokens = provider.redeem(form, self.headers.get("authorization", ""))
        self._send(
            json.dumps(tokens or {"error": "invalid_grant"}),
            "application/json",
            200 if tokens else 400,
        )

    def _send(self, words: str, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(words.encode())))
        self.end_headers()
        self.wfile.write(words.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing on standard error."""


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _number(value: int) -> str:
    return _encoded(value.to_bytes((value.bit_length() + 7) // 8, "big"))
