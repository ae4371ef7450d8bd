/** The client of the Recruiting Marketplace External API: it repeats what is safe to repeat, and waits for batches. */
import createFetchClient, { type Client as FetchClient } from "openapi-fetch";
import type { components, paths } from "./api.js";

export type { components, paths };
export type Schemas = components["schemas"];
export type Client = FetchClient<paths>;

const longestPause = 8_000; // of the client's own back-off, in milliseconds
const longestAdvice = 120_000; // a longer wait that the server advises is left to the caller
const longestTimer = 2 ** 31 - 1; // setTimeout takes a longer one for no time at all

export interface Options {
  baseUrl: string;
  apiKey: string;
  /** How often a request is sent at most; 5 by default. */
  attempts?: number;
  fetch?: (request: Request) => Promise<Response>;
  /** Pauses, and rejects if the signal is aborted meanwhile. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Returns a client of every operation. It repeats a request after a 429 always, as it was not done; after a 5xx, a lost
 * connection, or a 409 because of its own first attempt if it is a GET, a PUT or has an Idempotency-Key.
 */
export function createClient({ baseUrl, apiKey, attempts = 5, fetch = globalThis.fetch, wait = sleep }: Options): Client {
  return createFetchClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    fetch: (request) => sendRepeatedly(request, attempts, fetch, wait),
  });
}

/** An unsuccessful response. Support finds a request by requestId. */
export class APIError extends Error {
  override name = "APIError";
  readonly type: string;
  readonly code: string;
  readonly requestId: string;
  readonly details: Schemas["ErrorDetails"];
  readonly retryAfter: number;

  constructor(readonly response: Response, body: unknown) {
    const error = (body as { error?: Record<string, unknown> } | undefined)?.error ?? {};
    const text = (name: string) => (typeof error[name] === "string" ? error[name] : "");
    super(`${response.status} ${text("code") || text("type")}: ${text("message")} (request ${text("request_id")})`);
    this.type = text("type");
    this.code = text("code");
    this.requestId = text("request_id");
    this.details = { formErrors: [], fieldErrors: {}, ...(error.details as Partial<Schemas["ErrorDetails"]> | undefined) };
    this.retryAfter = adviceOf(response) / 1000;
  }
}

/** Returns the data of a successful response, and throws an APIError of any other. */
export function unwrap<T>(result: { data?: T; error?: unknown; response: Response }): T {
  if (!result.response.ok || result.data === undefined) throw new APIError(result.response, result.error);
  return result.data;
}

/**
 * Reads a batch, as often as the server advises, until every item has ended. It throws an Error at the time-out, ten
 * minutes by default, for which it interrupts a pause or a request, and an APIError.
 */
export async function waitForBatch(
  client: Client,
  batchId: string,
  { timeout = 600_000, wait = sleep }: { timeout?: number; wait?: Options["wait"] } = {},
): Promise<Schemas["Batch"]> {
  const ending = new AbortController();
  const { signal } = ending;
  const late = () => ending.abort(new Error(`batch ${batchId} has not ended after ${timeout / 1000} s`));
  const timer = setTimeout(late, Math.min(timeout, longestTimer));
  try {
    for (;;) {
      const result = await client.GET("/talent-network/batches/{batchId}", { params: { path: { batchId } }, signal });
      const batch = unwrap(result);
      if (!batch.items.some(({ status }) => status === "queued" || status === "processing")) return batch;
      await wait(Math.max(adviceOf(result.response), 1_000), signal);
      signal.throwIfAborted();
    }
  } finally {
    clearTimeout(timer);
  }
}

async function sendRepeatedly(request: Request, attempts: number, fetch: (r: Request) => Promise<Response>, wait: typeof sleep) {
  for (let attempt = 1; attempt < attempts; attempt++) {
    let pause = backoff(attempt);
    try {
      const response = await fetch(request.clone());
      const advice = adviceOf(response);
      if (advice > longestAdvice || !(await isTransient(request, response))) return response;
      pause = Math.max(pause, advice);
      await response.body?.cancel();
    } catch (lost) {
      if (request.signal.aborted || !isRepeatable(request)) throw lost;
    }
    await wait(pause, request.signal);
    request.signal.throwIfAborted();
  }
  return fetch(request);
}

/** Reports whether sending the request twice has the effect of once. */
const isRepeatable = ({ method, headers }: Request) => method === "GET" || method === "PUT" || headers.has("Idempotency-Key");

/** Reports whether the request may succeed if it is sent again. */
async function isTransient(request: Request, response: Response): Promise<boolean> {
  if (response.status === 409) {
    const body = await response.clone().json().catch(() => undefined);
    return body?.error?.code === "idempotency_in_progress";
  }
  return response.status === 429 || (response.status >= 500 && isRepeatable(request));
}

/** Returns the milliseconds that the server advises to wait; 0 means no advice. */
function adviceOf(response: Response): number {
  const advice = response.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(advice) ? Number(advice) * 1000 : 0;
}

/** Returns a pause that doubles, less up to half of it, so that clients do not retry together. */
const backoff = (attempt: number) => Math.min(250 * 2 ** (attempt - 1), longestPause) * (0.5 + Math.random() / 2);

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", abort, { once: true });
  });
}
