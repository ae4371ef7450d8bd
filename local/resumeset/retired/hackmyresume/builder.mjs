// Has HackMyResume write resumes: a JSON list of [source, theme, target] on standard input. A
// source is HackMyResume's (FRESH) form; beside it, SOURCE.options has the titles of sections.
// It runs from a copy in the folder where HackMyResume is installed.
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const program = path.join(import.meta.dirname, "node_modules/hackmyresume/dist/cli/index.js");
const tasks = JSON.parse(fs.readFileSync(0, "utf8"));

async function work() {
  for (let task; (task = tasks.shift()); ) {
    const [source, theme, target] = task.map((p, i) => (i === 1 ? p : path.resolve(p)));
    fs.rmSync(target, { force: true });
    await promisify(execFile)(process.execPath, [program, "build", source, "TO", target, "-t", theme, "-o", `${source}.options`]);
    if (target.endsWith(".html")) {
      // Employers are escaped twice, which no browser shows as they are written.
      fs.writeFileSync(target, fs.readFileSync(target, "utf8").replaceAll(/&amp;(amp|#39);/g, "&$1;"));
    }
  }
}
await Promise.all([work(), work()]);
