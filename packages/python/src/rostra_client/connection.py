"""Sends the requests of a client: pages, retries, waits and errors."""

from __future__ import annotations

import json
import logging
import random
import re
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import Message
from email.utils import mktime_tz, parsedate_tz
from http.client import HTTPException, HTTPResponse, IncompleteRead
from typing import Any, Generic, NamedTuple, Optional, TypeVar
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPErrorProcessor, Request, build_opener

from .contract_types import Change
from .errors import InvalidResponseError, NetworkError, RostraError, find_error_class
from .version import __version__

logger = logging.getLogger("rostra_client")

_FIRST_DELAY_SECONDS = 0.5

#: Several times the largest page.
_MAX_RESPONSE_BYTES = 256 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024


class ChangePage(NamedTuple):
    """A page of changes. Store the cursor together with the changes, and continue from it later."""

    #: Oldest change first. Can be empty.
    changes: list[Change]
    cursor: str
    has_more: bool


Record = TypeVar("Record")


@dataclass(frozen=True)
class Page(Generic[Record]):
    """A page of a list."""

    records: list[Record]
    #: Continues the list after this page, as the argument `cursor` of the same method; None on the last page.
    cursor: Optional[str]
    has_more: bool


class Records(Iterator[Record]):
    """The records of a list. It fetches a page when it needs it."""

    def __init__(self, pages: Iterator[Page[Record]]) -> None:
        self._pages = pages
        self._records = (record for page in pages for record in page.records)

    def __next__(self) -> Record:
        return next(self._records)

    def pages(self) -> Iterator[Page[Record]]:
        """The same list page by page, for walks that can be interrupted: store the cursor with the records of its page."""
        return self._pages


class _KeepEveryStatus(HTTPErrorProcessor):
    """Returns every response as it is. A redirect would send the key elsewhere, so none is followed."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:
        return response

    https_response = http_response


class Connection:
    """Reads the data of one municipality. It keeps no state between requests, so threads can share it."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        max_retries: int = 6,
        max_retry_delay_seconds: float = 3600,
        timeout_seconds: float = 60,
    ) -> None:
        """Sends no request.

        base_url: URL of the installation, with or without `/api/v1`.
        max_retries: retries of one request after network errors and the statuses 408, 429 and from 500 on. The
            default outlasts a restart of 30 seconds.
        max_retry_delay_seconds: the longest wait before a retry. If the server asks for more, the call fails.
        timeout_seconds: the longest wait for the connection and for data, and for the end of a response.
        """
        self._base = _normalise_base(base_url)
        # A key from a file often has a line break at its end.
        api_key = (api_key or "").strip()
        if not api_key:
            raise ValueError("api_key is missing. It is an API key, such as sk_rostra_….")
        if not re.fullmatch("[!-~]+", api_key):
            raise ValueError("api_key has a space, a line break or another character that no API key has.")
        self._headers = {
            "Authorization": f"Bearer {api_key}",
            "Accept-Encoding": "gzip",
            "User-Agent": f"rostra-client-python/{__version__}",
        }
        self._max_retries = max_retries
        self._max_retry_delay_seconds = max_retry_delay_seconds
        self._timeout_seconds = timeout_seconds
        self._opener = build_opener(_KeepEveryStatus)

    def _get_records(self, path: str, query: Mapping[str, Any]) -> Records[Any]:
        return Records(self._get_list_pages(path, query))

    def _get_list_pages(self, path: str, query: Mapping[str, Any]) -> Iterator[Page[Any]]:
        for page in self._get_pages(path, query):
            pagination = page["pagination"]
            yield Page(page["data"], pagination["next_cursor"], pagination["has_more"])

    def _get_changes(self, path: str, query: Mapping[str, Any]) -> Iterator[ChangePage]:
        for page in self._get_pages(path, query):
            pagination = page["pagination"]
            yield ChangePage(page["data"], pagination["next_cursor"], pagination["has_more"])

    def _get_pages(self, path: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        while True:
            page = self._get(path, "pagination", query)
            has_more, cursor = page["pagination"]["has_more"], page["pagination"]["next_cursor"]
            if has_more and query.get("cursor") == cursor:
                # A proxy that ignores the query causes this.
                message = (
                    "The next page is this page again, so the list would never end. "
                    "Check the caches between this client and the server."
                )
                raise InvalidResponseError(message, "INVALID_RESPONSE", self._base + path, 200)
            yield page
            if not has_more:
                return
            query = {**query, "cursor": cursor}

    def _get_data(self, path: str, query: Mapping[str, Any]) -> Any:
        return self._get(path, "data", query)["data"]

    def _get(self, path: str, field: str, query: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the body of a response with the status 200. Every body of the operation has the field."""
        parameters = {name: value for name, value in query.items() if value is not None}
        for name, value in parameters.items():
            # Without the parameter, everything would match.
            if not isinstance(value, (int, str)) and not value:
                raise ValueError(f"{name} has no values. Leave it out to get everything.")
        # A parameter with several values is repeated.
        url = self._base + path + (f"?{urlencode(parameters, doseq=True)}" if parameters else "")
        attempt = 1
        while True:
            try:
                return self._send(url, field)
            except RostraError as error:
                delay_seconds = self._choose_delay(error, attempt)
                if delay_seconds is None:
                    raise
                logger.warning("GET %s: %s Next attempt in %.1f seconds.", url, error, delay_seconds)
                time.sleep(delay_seconds)
            attempt += 1

    def _choose_delay(self, error: RostraError, attempt: int) -> Optional[float]:
        """Returns seconds; None if the error is permanent, or if the server asks for more than the maximum."""
        if attempt > self._max_retries or not _is_temporary(error.status):
            return None
        retry_after_seconds = error.retry_after_seconds or 0
        if retry_after_seconds > self._max_retry_delay_seconds:
            return None
        # A window of the rate limit ends at a known time.
        if error.status == 429 and error.retry_after_seconds is not None:
            return retry_after_seconds
        # The random part keeps clients that failed together from returning together. A server that restarts asks for
        # short waits only.
        delay_seconds: float = _FIRST_DELAY_SECONDS * 2 ** (attempt - 1) * (1 + random.random())
        return min(max(delay_seconds, retry_after_seconds), self._max_retry_delay_seconds)

    def _send(self, url: str, field: str) -> dict[str, Any]:
        started_at = time.monotonic()
        try:
            request = Request(url, headers=self._headers)
            with self._opener.open(request, timeout=self._timeout_seconds) as response:
                status: int = response.status
                headers: Message = response.headers
                content = _read_content(url, response, self._timeout_seconds)
        except (OSError, HTTPException, zlib.error) as error:
            reason = getattr(error, "reason", None) or str(error) or type(error).__name__
            raise NetworkError(f"The request failed: {reason}.", "NETWORK_ERROR", url) from error
        logger.debug("GET %s: HTTP %d in %.0f ms", url, status, 1000 * (time.monotonic() - started_at))
        body = _parse_object(content)
        if status == 200 and field in body:
            return body
        raise _create_response_error(url, status, headers, body)


def _normalise_base(base_url: str) -> str:
    parts = urlsplit(f"{base_url.rstrip('/').removesuffix('/api/v1')}/api/v1")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url must be the URL of an installation, such as https://data.example.org.")
    # Without umlauts, which the header Host cannot have.
    return parts._replace(netloc=parts.netloc.encode("idna").decode()).geturl()


def escape(identifier: str) -> str:
    """Returns the identifier as a segment of a path."""
    return quote(identifier, safe="")


def _is_temporary(status: Optional[int]) -> bool:
    return status is None or status in (408, 429) or status >= 500


def _read_content(url: str, response: HTTPResponse, timeout_seconds: float) -> bytes:
    ends_at = time.monotonic() + timeout_seconds
    is_compressed = response.headers.get("Content-Encoding") == "gzip"
    # With the header of gzip.
    decompressor = zlib.decompressobj(wbits=31)
    content = bytearray()
    # None if the length is unknown. Older versions of Python do not count what read1 returns.
    remaining = response.length
    while remaining != 0:
        chunk = response.read1(_CHUNK_BYTES if remaining is None else min(remaining, _CHUNK_BYTES))
        if not chunk:
            break
        if remaining is not None:
            remaining -= len(chunk)
        content += decompressor.decompress(chunk) if is_compressed else chunk
        if len(content) > _MAX_RESPONSE_BYTES:
            message = f"The response has more than {_MAX_RESPONSE_BYTES} bytes."
            raise InvalidResponseError(message, "INVALID_RESPONSE", url, response.status)
        if time.monotonic() > ends_at:
            raise TimeoutError(f"the response was not complete after {timeout_seconds} seconds")
    if remaining:
        raise IncompleteRead(b"", remaining)
    return bytes(content)


def _parse_object(content: bytes) -> dict[str, Any]:
    """Returns an empty object unless the content is a JSON object: proxies send other errors."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _create_response_error(url: str, status: int, headers: Message, body: dict[str, Any]) -> RostraError:
    message, code = body.get("error"), body.get("code")
    if not isinstance(message, str) or not isinstance(code, str):
        message = f"HTTP {status}, but not a response of this API."
        # Proxies send other bodies while the service does not run.
        code = "UNAVAILABLE" if _is_temporary(status) else "INVALID_RESPONSE"
        if code == "INVALID_RESPONSE":
            message += " Check the URL."
    retry_after_seconds = _parse_retry_after(headers.get("Retry-After"))
    error_class = find_error_class(code)
    return error_class(message, code, url, status, headers.get("X-Request-Id"), retry_after_seconds)


def _parse_retry_after(header: Optional[str]) -> Optional[float]:
    """Returns seconds, from a number or a date (RFC 9110, section 10.2.3)."""
    if header is None:
        return None
    if re.fullmatch("[0-9]{1,9}", header):
        return float(header)
    try:
        date = parsedate_tz(header)
        return None if date is None else max(0.0, mktime_tz(date) - time.time())
    except (ValueError, OverflowError):
        return None
