// Has YAMLResume write resumes: a JSON list of [source, template, target] on standard input. A source
// is YAMLResume's form without its layouts.
import fs from "node:fs";
import { getResumeRenderer } from "@yamlresume/core";

for (const [source, template, target] of JSON.parse(fs.readFileSync(0, "utf8"))) {
  const { sections, ...resume } = JSON.parse(fs.readFileSync(source, "utf8"));
  const layout = target.endsWith(".md") ? { engine: "markdown" } : { engine: "html", template };
  fs.writeFileSync(target, getResumeRenderer({ ...resume, layouts: [{ ...layout, sections }] }, 0).render());
}
