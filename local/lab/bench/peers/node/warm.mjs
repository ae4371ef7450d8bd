// Serves the event of a route again and again, with the recorded responses of the database at once:
// node warm.mjs FILE ROUTE TURNS. It prints the processor time of a request in µs: of turns of 250 ms
// the shortest, because other work on the machine only adds. As many turns before let Node compile.
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { open } from "./app.mjs";

// newServer returns a function that serves a route's event. calls has operation, input and the
// response's text of each of its calls.
function newServer({ event, calls }) {
  const requestHandler = {
    async handle(request) {
      const operation = request.headers["x-amz-target"].split(".")[1];
      const { response } = calls.find((call) => call.operation === operation) ?? calls[0];
      return { response: { statusCode: 200, headers: { "content-type": "application/x-amz-json-1.0" }, body: Readable.from([Buffer.from(response)]) } };
    },
  };
  const reads = calls.filter((call) => call.operation !== "UpdateItem").map(({ operation, input }) => ({ operation, input }));
  const handler = open({ requestHandler }, { [JSON.parse(event).rawPath]: reads });
  return async () => {
    const result = await handler(JSON.parse(event), {});
    if (result.statusCode !== 200) throw new Error(`${result.statusCode} ${result.body}`);
    return JSON.stringify(result);
  };
}

// measureTurn returns the mean processor time of a request in one turn.
async function measureTurn(serve) {
  const begun = process.cpuUsage(), end = performance.now() + 250;
  let count = 0;
  for (; performance.now() < end; count++) await serve();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / count;
}

const [, , file, route, turns] = process.argv;
const serve = newServer(JSON.parse(readFileSync(file, "utf8"))[route]);
const times = [];
for (let turn = 0; turn < 2 * Number(turns); turn++) times.push(await measureTurn(serve));
console.log(Math.min(...times.slice(turns)));
