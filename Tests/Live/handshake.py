"""How a daemon and an inspector authenticate each other over TCP, from docs/protocol.md."""

import hmac
import secrets


def proof(secret, text):
    return hmac.digest(secret.encode(), text.encode(), "sha256").hex()


def text(purpose, host, key, nonce, daemon_nonce):
    return f"states-debugger/1 {purpose} {host} {key} {nonce} {daemon_nonce}"


def sign_in(peer, host, key, secret, **rest):
    """The inspector's side; returns the daemon's last reply, and the secret of the session."""
    nonce = secrets.token_hex(16)
    peer.send({"type": "hello", "version": "1.0", "key": key, "nonce": nonce})
    challenge = peer.receive()
    if challenge["type"] != "challenge":
        return challenge, None
    texts = host, key, nonce, challenge["nonce"]
    if not hmac.compare_digest(
            challenge["proof"], proof(secret, text("daemon-to-inspector", *texts))):
        raise AssertionError("this is not the daemon")
    peer.send({"type": "hello", "version": "1.0",
               "proof": proof(secret, text("inspector-to-daemon", *texts)), **rest})
    welcome = peer.receive()
    return welcome, proof(secret, text("session", *texts)) if key.startswith("c") else secret


class Keeper:
    """The daemon's side, for stand-ins: it knows one code, which never expires."""

    CODE = "c1." + "0123456789abcdef" * 4

    def __init__(self):
        name, secret = self.CODE.split(".")
        self.secrets = {name: secret}
        self.boot = secrets.token_hex(16)

    def answer(self, hello, connection):
        """The reply to a `hello`; `connection` is a dict that lives as long as the connection."""
        if "proof" in hello and connection:
            return self.check(hello, connection)
        key = hello.get("key")
        secret = self.secrets.get(key)
        if not secret or hello.get("boot", self.boot) != self.boot:
            return {"type": "error", "code": "unauthorised", "message": "A code is needed."}
        if "boot" in hello:
            secret = proof(secret, f"states-debugger/1 boot {self.boot}")
        connection["secret"] = secret
        connection["texts"] = connection["host"], key, hello["nonce"], secrets.token_hex(16)
        return {"type": "challenge", "nonce": connection["texts"][3],
                "proof": proof(secret, text("daemon-to-inspector", *connection["texts"]))}

    def check(self, hello, connection):
        secret, texts = connection["secret"], connection["texts"]
        if hello["proof"] != proof(secret, text("inspector-to-daemon", *texts)):
            return {"type": "error", "code": "unauthorised", "message": "The proof is wrong."}
        session = texts[1]
        if session.startswith("c"):
            session = f"s{len(self.secrets)}"
            self.secrets[session] = proof(secret, text("session", *texts))
        return {"type": "welcome", "version": "1.0", "daemon": "0.1.0", "session": session,
                "boot": self.boot}
