// Serves events of Lambda's runtime API, like an instance of a function on Node.
import { open } from "./app.mjs";

const handler = open();
const base = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;
for (;;) {
  const next = await fetch(`${base}/next`);
  const result = await handler(await next.json(), {});
  await fetch(`${base}/${next.headers.get("lambda-runtime-aws-request-id")}/response`, { method: "POST", body: JSON.stringify(result) });
}
