// Renders resumes in JSON Resume's form: a JSON list of [source, theme, target] on standard
// input. It runs from a copy in the folder where the themes are installed.
import fs from "node:fs";

for (const [source, theme, target] of JSON.parse(fs.readFileSync(0, "utf8"))) {
  const loaded = await import(`jsonresume-theme-${theme}`);
  const render = loaded.render ?? loaded.default.render;
  fs.writeFileSync(target, await render(JSON.parse(fs.readFileSync(source, "utf8"))));
}
