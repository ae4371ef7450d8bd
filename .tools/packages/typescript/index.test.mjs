// What the client repeats, what it throws, and how it waits for a batch.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { APIError, createClient, unwrap, waitForBatch } from "recruiting-marketplace";

const refusal = (status, code = "", after = 0) => () =>
  new Response(JSON.stringify({ error: { type: "t", code, message: "m", request_id: "r" } }), {
    status, headers: { "Content-Type": "application/json", ...(after && { "Retry-After": String(after) }) },
  });
const accepted = () => Response.json({ accepted: true });
const lost = () => { throw new TypeError("fetch failed"); };
const batch = (...states) => () =>
  Response.json({ batchId: "b", items: states.map((status) => ({ status })) }, { headers: { "Retry-After": "2" } });

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

function clientOf(...answers) {
  const sent = [], pauses = [];
  const wait = async (pause) => {
    pauses.push(pause);
    mock.timers.tick(pause);
  };
  const fetch = async (request) => {
    sent.push(`${request.headers.get("Idempotency-Key")} ${await request.text()}`);
    return answers[sent.length - 1]();
  };
  return { client: createClient({ baseUrl: "http://api.example", apiKey: "key", fetch, wait }), sent, pauses, wait };
}
const submit = (client, key) =>
  client.POST("/talent-network/candidates/submit", {
    params: { header: key ? { "Idempotency-Key": key } : {} }, body: { name: "Ada Example" },
  });

for (const [name, key, answers, want] of [
  ["429 without a key", "", [refusal(429, "", 7), accepted], 2],
  ["503 with a key", "k", [refusal(503, "", 7), accepted], 2],
  ["lost with a key", "k", [lost, lost, accepted], 3],
  ["own first attempt", "k", [refusal(409, "idempotency_in_progress", 1), accepted], 2],
  ["any 5xx with a key", "k", [refusal(500), refusal(502), () => new Response("late", { status: 504 }), accepted], 4],
  ["503 without a key", "", [refusal(503)], 1],
  ["500 without a key", "", [refusal(500)], 1],
  ["lost without a key", "", [lost], 1],
  ["other request of the key", "k", [refusal(409, "idempotency_key_reused")], 1],
  ["a wait of an hour", "k", [refusal(429, "", 3600)], 1],
  ["a gateway's 409", "k", [() => new Response("conflict", { status: 409 })], 1],
  ["a refusal", "k", [refusal(400)], 1],
  ["five times at most", "k", Array(5).fill(refusal(503)), 5],
]) {
  test(`repeats: ${name}`, async () => {
    const { client, sent } = clientOf(...answers);
    const result = submit(client, key).then(unwrap);
    if (answers.at(-1) === accepted) await result;
    else await assert.rejects(result, answers[0] === lost ? TypeError : APIError);
    assert.equal(sent.length, want);
    assert.equal(new Set(sent).size, 1);
  });
}

test("waits as advised", async () => {
  const { client, pauses } = clientOf(refusal(429, "", 7), refusal(500, "", 3), refusal(401));
  await assert.rejects(client.GET("/identity").then(unwrap), { name: "APIError", type: "t", requestId: "r" });
  assert.deepEqual(pauses, [7000, 3000]);
});

test("throws what a gateway refuses", async () => {
  const { client } = clientOf(() => new Response("too large", { status: 413 }));
  const refused = await submit(client, "k").then(unwrap).catch((e) => e);
  assert.ok(refused instanceof APIError);
  assert.deepEqual([refused.response.status, refused.code, refused.details], [413, "", { formErrors: [], fieldErrors: {} }]);
});

test("throws details", async () => {
  const details = { formErrors: ["is empty."], fieldErrors: { email: ["email: is required."] } };
  const { client } = clientOf(() => Response.json({ error: {
    type: "invalid_request_error", code: "validation_failed", message: "email: is required.",
    request_id: "01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11", details,
  } }, { status: 400 }));
  await assert.rejects(submit(client, "k").then(unwrap), { name: "APIError", details });
});

test("waitForBatch", async () => {
  const { client, pauses, wait } = clientOf(batch("queued", "succeeded"), batch("processing", "failed"), batch("succeeded", "failed"));
  assert.deepEqual((await waitForBatch(client, "b", { wait })).items.map((i) => i.status), ["succeeded", "failed"]);
  assert.deepEqual(pauses, [2000, 2000]);
});

test("waitForBatch times out", async () => {
  const { client, pauses, wait } = clientOf(...Array(9).fill(batch("queued")));
  await assert.rejects(waitForBatch(client, "b", { timeout: 5000, wait }), /batch b has not ended after 5 s/);
  assert.deepEqual(pauses, [2000, 2000, 2000]);
});

test("waitForBatch counts what requests take", async () => {
  const slow = () => (mock.timers.tick(50_000), batch("queued")());
  const { client, pauses, wait } = clientOf(refusal(429, "", 60), slow, ...Array(5).fill(refusal(429, "", 60)));
  await assert.rejects(waitForBatch(client, "b", { timeout: 120_000, wait }), /batch b has not ended after 120 s/);
  assert.deepEqual(pauses, [60_000, 2_000, 60_000]);
});

test("waitForBatch interrupts a pause and a request", async () => {
  mock.timers.reset();
  const hang = (request) => new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
  for (const fetch of [hang, async () => refusal(429, "", 60)(), async () => batch("queued")()]) {
    const client = createClient({ baseUrl: "http://api.example", apiKey: "key", fetch });
    await assert.rejects(waitForBatch(client, "b", { timeout: 20 }), /batch b has not ended/);
  }
});
