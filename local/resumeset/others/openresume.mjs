// Runs OpenResume's parser (npm open-resume, AGPL, not part of this project) on the PDF files
// of a set and writes what it finds for `resumeset score --from`:
//
//	node local/resumeset/others/openresume.mjs .local/resumeset/development .local/resumeset/openresume
//	go run ./local/resumeset score --only=.pdf --from=.local/resumeset/openresume
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [set, out] = process.argv.slice(2).map((p) => path.resolve(p));
const program = path.join(out, "program");
const packages = ["esbuild@0.28.2", "pdfjs-dist@3.7.107", "@reduxjs/toolkit@1.9.5", "react@18.2.0", "react-redux@8.0.7"];

// The package is unpacked without its dependencies, which are a whole web application's.
if (!fs.existsSync(path.join(program, "parser.cjs"))) {
  fs.mkdirSync(program, { recursive: true });
  const run = (...args) => execFileSync(args[0], args.slice(1), { cwd: program, stdio: ["ignore", "pipe", "inherit"] });
  run("npm", "pack", "--silent", "open-resume@0.1.0");
  run("tar", "xzf", "open-resume-0.1.0.tgz");
  run("npm", "install", "--prefix", program, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages);
  const entry = path.join(program, "package/src/app/entry.ts");
  fs.writeFileSync(entry, `import * as pdfjs from "pdfjs-dist/legacy/build/pdf.js";
export { parseResumeFromPdf } from "lib/parse-resume-from-pdf";`);
  fs.writeFileSync(path.join(program, "worker.js"), `module.exports = ${JSON.stringify(path.join(program, "node_modules/pdfjs-dist/legacy/build/pdf.worker.js"))};`);
  fs.rmSync(path.join(program, "package/package.json"));
  run(path.join(program, "node_modules/.bin/esbuild"), entry, "--bundle", "--platform=node", "--outfile=parser.cjs", "--log-level=error", "--external:canvas", "--external:path2d-polyfill",
    "--alias:pdfjs-dist/build/pdf.worker.entry=./worker.js",
    "--alias:pdfjs-dist=./node_modules/pdfjs-dist/legacy/build/pdf.js");
}

// Only drawing would need them.
Object.assign(globalThis, { DOMMatrix: class {}, Path2D: class {} });
const { parseResumeFromPdf } = await import(pathToFileURL(path.join(program, "parser.cjs")));
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

// readDates returns the first two dates of a text such as "Mar 2019 - Present".
function readDates(text) {
  const found = [...text.matchAll(/(?:([a-z]{3})[a-z]*\.?\s+|(\d{1,2})[/.])?((?:19|20)\d\d)(?:-(\d\d))?/gi)].map(([, name, number, year, after]) => {
    const month = number ?? after ?? (name && months.indexOf(name.toLowerCase()) + 1);
    return month > 0 && month < 13 ? `${year}-${String(+month).padStart(2, "0")}` : year;
  });
  return [found[0] ?? "", found[1] ?? ""];
}

for (const file of fs.readdirSync(set).filter((name) => name.endsWith(".pdf"))) {
  let found = {};
  try {
    const { profile, workExperiences, educations, skills } = await parseResumeFromPdf(path.join(set, file));
    const slug = profile.url.match(/linkedin\.com\/in\/([^\s/?]+)/i)?.[1];
    found = {
      name: profile.name, emails: [profile.email].filter(Boolean), location: profile.location,
      phones: [profile.phone && `+${profile.phone.replace(/\D/g, "").replace(/^(?=\d{10}$)/, "1")}`].filter(Boolean), // it reads American numbers
      linkedinUrl: slug ? `https://www.linkedin.com/in/${slug.toLowerCase()}` : "",
      experiences: workExperiences.filter((e) => e.jobTitle || e.company).map((e) => {
        const [start, end] = readDates(e.date);
        return { title: e.jobTitle, company: e.company, start, end, isCurrent: end === "" };
      }),
      education: educations.filter((e) => e.school || e.degree).map((e) => ({ school: e.school, degree: e.degree })),
      skills: [...skills.featuredSkills.map((s) => s.skill), ...skills.descriptions].flatMap((s) => s.split(/[,|:•]/)).map((s) => s.trim()).filter(Boolean),
      languages: [],
    };
  } catch (error) {
    console.error(file, error.message);
  }
  fs.writeFileSync(path.join(out, `${file}.json`), JSON.stringify(found));
}
