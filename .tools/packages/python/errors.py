"""What the API refuses."""
import json
from collections.abc import Mapping
from typing import Any

from .models.error_details import ErrorDetails


class APIError(Exception):
    """An unsuccessful response. Support finds a request by request_id."""

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        error = _error_of(content)
        self.status = status
        self.type: str = error.get("type", "")
        self.code: str = error.get("code", "")
        self.message: str = error.get("message", "")
        self.request_id: str = error.get("request_id", headers.get("x-request-id", ""))
        details = error.get("details")
        self.details = ErrorDetails.from_dict({"formErrors": [], "fieldErrors": {}, **(details if isinstance(details, dict) else {})})
        self.retry_after = retry_after(headers)
        super().__init__(f"{status} {self.code or self.type}: {self.message} (request {self.request_id})")


def retry_after(headers: Mapping[str, str]) -> float:
    """Returns the seconds that the server advises to wait; 0 means no advice."""
    advice = headers.get("retry-after", "")
    return float(advice) if advice.isdecimal() else 0.0


def _error_of(content: bytes) -> dict[str, Any]:
    """Returns the envelope's error, or None if the response is not the API's own, such as a gateway's 413."""
    try:
        body = json.loads(content)
    except ValueError:
        return {}
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}
