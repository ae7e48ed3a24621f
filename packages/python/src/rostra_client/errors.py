"""An exception for each error code of the API, and for requests without a response of the API."""

from __future__ import annotations

from typing import Optional


class RostraError(Exception):
    """A request failed, after all retries. Each code has a subclass, except for codes of later versions of the API."""

    def __init__(
        self,
        message: str,
        code: str,
        url: str,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
    ) -> None:
        # All of them, so that the error can be pickled.
        super().__init__(message, code, url, status, request_id, retry_after_seconds)
        #: For people. The wording can change.
        self.message = message
        #: For programs, such as `NOT_FOUND`.
        self.code = code
        self.url = url
        #: HTTP status; None without a response.
        self.status = status
        #: Identifies the request in the log of the installation. Quote it to the operator.
        self.request_id = request_id
        #: Time that the server asks to wait; None if it names none.
        self.retry_after_seconds = retry_after_seconds

    def __str__(self) -> str:
        status = None if self.status is None else f"HTTP {self.status}"
        request = None if self.request_id is None else f"request {self.request_id}"
        return f"{self.message} ({', '.join(filter(None, [self.code, status, request]))})"


class BadRequestError(RostraError):
    """A parameter or a cursor is invalid."""


class UnauthorizedError(RostraError):
    """The API key is missing, unknown, expired or revoked."""


class NotFoundError(RostraError):
    """The resource does not exist, or the installation is too old for the method."""


class MethodNotAllowedError(RostraError):
    """Something between the client and the installation changed the method of the request."""


class ResyncRequiredError(RostraError):
    """The cursor of `changes` is from another history of the data: start without a cursor, and replace the copy."""


class RateLimitedError(RostraError):
    """The rate limit of the key is exhausted for longer than the client may wait."""


class InternalError(RostraError):
    """The installation failed to answer. Quote the request ID to the operator."""


class UnavailableError(RostraError):
    """The installation does not run, is stopping, or cannot reach its database."""


class NetworkError(RostraError):
    """No response arrived."""


class InvalidResponseError(RostraError):
    """The response is not from this API, or a cache repeats a page: check the URL and the proxies."""


_classes: dict[str, type[RostraError]] = {
    "BAD_REQUEST": BadRequestError,
    "UNAUTHORIZED": UnauthorizedError,
    "NOT_FOUND": NotFoundError,
    "METHOD_NOT_ALLOWED": MethodNotAllowedError,
    "RESYNC_REQUIRED": ResyncRequiredError,
    "RATE_LIMITED": RateLimitedError,
    "INTERNAL_ERROR": InternalError,
    "UNAVAILABLE": UnavailableError,
    "NETWORK_ERROR": NetworkError,
    "INVALID_RESPONSE": InvalidResponseError,
}


def find_error_class(code: str) -> type[RostraError]:
    return _classes.get(code, RostraError)
