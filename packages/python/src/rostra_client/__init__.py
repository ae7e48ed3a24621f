"""Reads the civic participation API of Rostra: submissions, sessions, support tallies and survey results."""

from . import contract_types
from .client import RostraClient
from .connection import ChangePage, Page, Records
from .contract_types import *
from .errors import (
    BadRequestError,
    InternalError,
    InvalidResponseError,
    MethodNotAllowedError,
    NetworkError,
    NotFoundError,
    RateLimitedError,
    ResyncRequiredError,
    RostraError,
    UnauthorizedError,
    UnavailableError,
)
from .version import __version__

__all__ = [
    "BadRequestError",
    "ChangePage",
    "InternalError",
    "InvalidResponseError",
    "MethodNotAllowedError",
    "NetworkError",
    "NotFoundError",
    "Page",
    "RateLimitedError",
    "Records",
    "ResyncRequiredError",
    "RostraClient",
    "RostraError",
    "UnauthorizedError",
    "UnavailableError",
    "__version__",
]
__all__ += contract_types.__all__
