"""The client that operations take: it repeats what is safe to repeat, and waits for batches."""
import random
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import httpx
from attrs import define, field

from .api.submitting_candidates import get_batch
from .client import AuthenticatedClient
from .errors import APIError, retry_after
from .models import Batch

LONGEST_PAUSE = 8.0  # of the client's own back-off, in seconds
LONGEST_ADVICE = 120.0  # a longer wait that the server advises is left to the caller


@define
class Client(AuthenticatedClient):
    """Client(base_url, api_key). It is safe for concurrent use by threads once its first request was sent.

    A request is sent up to `attempts` times: after a 429 always, as it was not done; after a 5xx, a lost
    connection, or a 409 because of its own first attempt if it is a GET, a PUT or has an Idempotency-Key.
    The functions `asyncio` do not repeat requests.
    """

    attempts: int = field(default=5, kw_only=True)
    wait: Callable[[float], None] = field(default=time.sleep, kw_only=True)
    _timeout: httpx.Timeout | None = field(factory=lambda: httpx.Timeout(30.0), kw_only=True, alias="timeout")

    def __repr__(self) -> str:
        return f"Client({self._base_url!r})"

    def get_httpx_client(self) -> httpx.Client:
        """Returns the HTTP client, which repeats requests."""
        if self._client is None:
            self._headers[self.auth_header_name] = f"{self.prefix} {self.token}"
            self._client = _RepeatingClient(
                self.attempts, self.wait, base_url=self._base_url, cookies=self._cookies, headers=self._headers,
                timeout=self._timeout, verify=self._verify_ssl, follow_redirects=self._follow_redirects, **self._httpx_args)
        return self._client

    def wait_for_batch(self, batch_id: UUID | str, timeout: float = 600.0) -> Batch:
        """Reads a batch, as often as the server advises, until every item has ended.

        Raises TimeoutError if the next pause, also one before a request is repeated, would end after `timeout` seconds, and
        APIError. It ends no later than `timeout` and one request.
        """
        begun = time.monotonic()

        def wait(pause: float) -> None:
            waited = time.monotonic() - begun
            if waited + pause > timeout:
                raise TimeoutError(f"batch {batch_id} has not ended after {waited:.0f} s")
            self.wait(pause)

        # get_batch.sync_detailed takes no extensions.
        request = get_batch._get_kwargs(UUID(str(batch_id))) | {"extensions": {"wait": wait}}
        while True:
            response = get_batch._build_response(client=self, response=self.get_httpx_client().request(**request))
            if not any(item.status in ("queued", "processing") for item in response.parsed.items):
                return response.parsed
            wait(max(retry_after(response.headers), 1.0))


class _RepeatingClient(httpx.Client):
    def __init__(self, attempts: int, wait: Callable[[float], None], **options: Any) -> None:
        super().__init__(**options)
        self._attempts = attempts
        self._wait = wait

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Sends a request until it is answered for good, or has used up its attempts.

        The request's extension `wait`, if any, replaces that of the client.
        """
        wait = request.extensions.get("wait", self._wait)
        for attempt in range(1, self._attempts):
            pause = _backoff(attempt)
            try:
                response = super().send(request, **options)
            except httpx.TransportError:
                if not _is_repeatable(request):
                    raise
            else:
                advice = retry_after(response.headers)
                if advice > LONGEST_ADVICE or not _is_transient(request, response):
                    return response
                response.close()
                pause = max(pause, advice)
            wait(pause)
        return super().send(request, **options)


def _is_repeatable(request: httpx.Request) -> bool:
    """Reports whether sending the request twice has the effect of once."""
    return request.method in ("GET", "PUT") or "idempotency-key" in request.headers


def _is_transient(request: httpx.Request, response: httpx.Response) -> bool:
    """Reports whether the request may succeed if it is sent again."""
    if response.status_code == 409:
        error = APIError(409, response.headers, response.read())
        return error.code == "idempotency_in_progress"
    return response.status_code == 429 or (response.status_code >= 500 and _is_repeatable(request))


def _backoff(attempt: int) -> float:
    """Returns a pause that doubles, less up to half of it, so that clients do not retry together."""
    return min(0.25 * 2.0 ** (attempt - 1), LONGEST_PAUSE) * random.uniform(0.5, 1.0)
