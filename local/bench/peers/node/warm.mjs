// Serves the same events again and again, with the recorded responses of the database at once:
// node warm.mjs FILE SECONDS. It prints, by route, the processor time of a request in µs.
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { open } from "./app.mjs";

// Each route has its event, and its calls with operation, input and the response's text.
const [, , file, seconds] = process.argv;
const routes = JSON.parse(readFileSync(file, "utf8"));
const figures = {};
for (const [name, { event, calls }] of Object.entries(routes)) {
  const requestHandler = {
    async handle(request) {
      const operation = request.headers["x-amz-target"].split(".")[1];
      const { response } = calls.find((call) => call.operation === operation) ?? calls[0];
      return { response: { statusCode: 200, headers: { "content-type": "application/x-amz-json-1.0" }, body: Readable.from([Buffer.from(response)]) } };
    },
  };
  const reads = calls.filter((call) => call.operation !== "UpdateItem").map(({ operation, input }) => ({ operation, input }));
  const handler = open({ requestHandler }, { [JSON.parse(event).rawPath]: reads });
  const serve = async () => {
    const result = await handler(JSON.parse(event), {});
    if (result.statusCode !== 200) throw new Error(`${name}: ${result.statusCode} ${result.body}`);
    return JSON.stringify(result);
  };
  for (let i = 0; i < 500; i++) await serve();
  const begun = process.cpuUsage(), end = performance.now() + 1000 * Number(seconds);
  let count = 0;
  for (; performance.now() < end; count++) await serve();
  const used = process.cpuUsage(begun);
  figures[name] = (used.user + used.system) / count;
}
console.log(JSON.stringify(figures));
