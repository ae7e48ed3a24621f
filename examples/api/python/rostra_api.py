"""Requests for the samples in this folder. Python 3.9 or newer, standard library only."""

import json
import os
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

MAX_ATTEMPTS = 6


class ApiError(SystemExit):
    """A request failed. If no one catches the error, the program prints its message and ends with exit code 1."""

    def __init__(self, message, error_code=None):
        super().__init__(message)
        self.error_code = error_code


def get_json(resource, **query):
    """Returns the JSON of a resource, such as get_json("submissions", limit=100). Obeys 429 and 503."""
    url = f"{read_variable('BASE').rstrip('/')}/{resource}"
    request = Request(f"{url}?{urlencode(query)}" if query else url)
    # A redirect must not pass the key on to another address.
    request.add_unredirected_header("Authorization", f"Bearer {read_variable('KEY')}")
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            with urlopen(request, timeout=60) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code not in (429, 503) or attempt == MAX_ATTEMPTS:
                raise create_error(url, error) from error
            seconds = int(error.headers.get("Retry-After", 2**attempt))
            print(f"GET {url}: HTTP {error.code}. Waiting {seconds} seconds.", file=sys.stderr)
            time.sleep(seconds)
        except ValueError as error:
            raise ApiError(f"GET {url} failed: the response is not JSON. Check BASE.") from error
        except (OSError, HTTPException) as error:
            raise ApiError(f"GET {url} failed: {error}") from error


def read_items(resource, **query):
    """Yields the items of a list, page by page."""
    while True:
        page = get_json(resource, limit=100, **query)
        yield from page["data"]
        if not page["pagination"]["has_more"]:
            return
        query["cursor"] = page["pagination"]["next_cursor"]


def read_argument(meaning):
    if len(sys.argv) != 2:
        raise SystemExit(f"Usage: python3 {sys.argv[0]} {meaning}")
    return sys.argv[1]


def read_variable(name):
    if not os.environ.get(name):
        raise SystemExit(f"The environment variable {name} is missing.")
    # A key from a file often has a line break at its end.
    return os.environ[name].strip()


def create_error(url, response):
    try:
        body = json.load(response)
        return ApiError(f"GET {url} failed: {body['error']}", body["code"])
    except (ValueError, KeyError, TypeError):
        return ApiError(f"GET {url} failed: {response}. Check BASE.")
