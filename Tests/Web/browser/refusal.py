"""A daemon's refusal of a request."""


class Refusal(Exception):
    def __init__(self, code, message, **rest):
        super().__init__(message)
        self.answer = {"type": "error", "code": code, "message": message} | rest
