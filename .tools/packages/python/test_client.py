"""What the client repeats, what it raises, and how it waits for a batch."""
import unittest
import uuid
from collections.abc import Callable
from unittest import mock

import httpx

from recruiting_marketplace import APIError, Client
from recruiting_marketplace.api.service import identity
from recruiting_marketplace.api.submitting_candidates import submit_candidate
from recruiting_marketplace.api.talent_network import off_market
from recruiting_marketplace.client import AuthenticatedClient
from recruiting_marketplace.models import MarketRequest, SubmitRequest
from recruiting_marketplace.types import UNSET

BATCH = str(uuid.uuid4())
LOST = httpx.ConnectError("connection refused")


def refusal(status: int, code: str = "", after: int = 0) -> httpx.Response:
    error = {"type": "t", "code": code, "message": "m", "request_id": "r"}
    return httpx.Response(status, json={"error": error}, headers={"Retry-After": str(after)} if after else {})


def batch(*states: str) -> httpx.Response:
    items = [{"index": i, "status": s, "submissionId": BATCH, "updatedAt": "2026-05-06T07:08:12Z"} for i, s in enumerate(states)]
    return httpx.Response(200, json={"batchId": BATCH, "createdAt": "2026-05-06T07:08:12Z", "itemCount": len(states), "items": items},
                          headers={"Retry-After": "2"})


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.requests: list[httpx.Request] = []
        self.pauses: list[float] = []
        self.now = 0.0
        clock = mock.patch("time.monotonic", lambda: self.now)
        clock.start()
        self.addCleanup(clock.stop)

    def wait(self, pause: float) -> None:
        self.pauses.append(pause)
        self.now += pause

    def client(self, *answers: httpx.Response | Exception | Callable[[], httpx.Response]) -> Client:
        def answer(request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            given = answers[len(self.requests) - 1]
            if isinstance(given, Exception):
                raise given
            return given() if callable(given) else given
        return Client("http://api.example", "key", wait=self.wait, httpx_args={"transport": httpx.MockTransport(answer)})

    def test_repeats(self) -> None:
        accepted = httpx.Response(200, json={"accepted": True, "batchId": BATCH, "submissionId": BATCH, "deduplicated": False})
        request = SubmitRequest.from_dict({
            "name": "Ada Example", "email": "ada@example.com", "linkedinUrl": "u", "resume": {"contentBase64": "QQ=="},
            "preferences": {"locations": [], "workplaceTypes": [], "salaryMin": 1, "idealFundingRounds": [],
                            "visaAuthorization": "HAS_VISA_AUTHORIZATION"}})
        keyed = lambda c: submit_candidate.sync(client=c, body=request, idempotency_key="k")  # noqa: E731
        unkeyed = lambda c: submit_candidate.sync(client=c, body=request, idempotency_key=UNSET)  # noqa: E731
        cases: list[tuple[str, Callable[[Client], object], list[httpx.Response | Exception], int]] = [
            ("429 without a key", unkeyed, [refusal(429, after=7), accepted], 2),
            ("503 with a key", keyed, [refusal(503, after=7), accepted], 2),
            ("lost with a key", keyed, [LOST, LOST, accepted], 3),
            ("own first attempt", keyed, [refusal(409, "idempotency_in_progress", 1), accepted], 2),
            ("any 5xx with a key", keyed, [refusal(500), refusal(502), httpx.Response(504, text="late"), accepted], 4),
            ("503 without a key", unkeyed, [refusal(503)], 1),
            ("500 without a key", unkeyed, [refusal(500)], 1),
            ("lost without a key", unkeyed, [LOST], 1),
            ("other request of the key", keyed, [refusal(409, "idempotency_key_reused")], 1),
            ("a wait of an hour", keyed, [refusal(429, after=3600)], 1),
            ("a gateway's 409", keyed, [httpx.Response(409, text="conflict")], 1),
            ("a refusal", keyed, [refusal(400)], 1),
            ("five times at most", keyed, [refusal(503)] * 5, 5),
        ]
        for name, call, answers, want in cases:
            with self.subTest(name):
                self.requests.clear()
                if answers[-1] is accepted:
                    call(self.client(*answers))
                else:
                    with self.assertRaises((APIError, httpx.ConnectError)):
                        call(self.client(*answers))
                self.assertEqual(len(self.requests), want)
                self.assertEqual(len({(r.content, r.headers.get("Idempotency-Key")) for r in self.requests}), 1)

    def test_waits_as_advised(self) -> None:
        with self.assertRaises(APIError):
            identity.sync(client=self.client(refusal(429, after=7), refusal(500, after=3), refusal(401)))
        self.assertEqual(self.pauses, [7.0, 3.0])

    def test_raises_what_a_gateway_refuses(self) -> None:
        with self.assertRaises(APIError) as caught:
            off_market.sync(client=self.client(httpx.Response(413, text="too large")), body=MarketRequest(candidates=[]))
        self.assertEqual((caught.exception.status, caught.exception.code), (413, ""))
        self.assertEqual(caught.exception.details.to_dict(), {"formErrors": [], "fieldErrors": {}})

    def test_raises_a_status_of_no_list(self) -> None:
        with self.assertRaises(APIError) as caught:
            off_market.sync(client=self.client(httpx.Response(520)), body=MarketRequest(candidates=[]))
        self.assertEqual(caught.exception.status, 520)

    def test_raises_details(self) -> None:
        answer = httpx.Response(400, json={"error": {
            "type": "invalid_request_error", "code": "validation_failed", "message": "email: is required.",
            "request_id": "01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11",
            "details": {"formErrors": ["is empty."], "fieldErrors": {"email": ["email: is required."]}}}})
        with self.assertRaises(APIError) as caught:
            identity.sync(client=self.client(answer))
        details = caught.exception.details
        self.assertEqual((details.form_errors, details.field_errors["email"]), (["is empty."], ["email: is required."]))

    def test_shows_no_key(self) -> None:
        for client in (self.client(refusal(401), refusal(401)), AuthenticatedClient("http://api.example", "key")):
            client = client.with_headers({"X-Test": "key"})
            for use in (lambda: None, client.get_httpx_client, client.get_async_httpx_client):
                use()
                self.assertNotIn("key", repr(client))
        client = self.client(refusal(401))
        with self.assertRaises(APIError):
            identity.sync(client=client)
        self.assertEqual(repr(client), "Client('http://api.example')")

    def test_wait_for_batch(self) -> None:
        ended = self.client(batch("queued", "succeeded"), batch("processing", "failed"), batch("succeeded", "failed")).wait_for_batch(BATCH)
        self.assertEqual([item.status for item in ended.items], ["succeeded", "failed"])
        self.assertEqual(self.pauses, [2.0, 2.0])

    def test_wait_for_batch_times_out(self) -> None:
        with self.assertRaises(TimeoutError):
            self.client(*[batch("queued")] * 9).wait_for_batch(BATCH, timeout=5)
        self.assertEqual(self.pauses, [2.0, 2.0])

    def test_wait_for_batch_counts_what_requests_take(self) -> None:
        def slow(seconds: float) -> httpx.Response:
            self.now += seconds
            return batch("queued")
        client = self.client(refusal(429, after=60), lambda: slow(50), *[refusal(429, after=60)] * 5)
        with self.assertRaises(TimeoutError):
            client.wait_for_batch(BATCH, timeout=120)
        self.assertEqual(self.pauses, [60.0, 2.0])


if __name__ == "__main__":
    unittest.main()
