// Runs fauxqs on loopback only (its own command binds every address), on a free port, until stdin closes.
// Ctrl-C reaches it from the terminal too, and is for the parent, which still needs its queues while it stops.
import { buildApp } from "fauxqs";

process.on("SIGINT", () => {});
process.stdin.on("close", () => process.exit(0)).resume();
console.log(await buildApp({ logger: false }).listen({ host: "127.0.0.1", port: 0 }));
