// Prints what resume files say in CLDR's words: node shared/candidate/resume/words/cldr.mjs > shared/candidate/resume/words/cldr.txt
// Months, units of time, words for today, countries and spoken languages, as Node's ICU
// has them (process.versions.cldr was 48.0). A word of two languages has the meaning of the first.
import {readFileSync} from "node:fs";

const codes = ("en de fr es pt it nl sv da nb fi is pl cs sk hu ro bg el tr uk ru be hr sr sl mk sq et lv lt ga cy ca eu gl " +
  "zh zh-Hant ja ko vi th id ms fil ar fa he ur hi bn mr ta te gu kn ml pa ka hy az kk uz sw").split(" ");
// The long lists leave out languages that few resumes are written in.
const fewer = codes.slice(0, codes.indexOf("bn")).filter((code) => !"ga cy ca eu gl be sq is mk sl".split(" ").includes(code));
const day = (m) => new Date(Date.UTC(2019, m, 15));
const lists = new Map();
function add(key, word) {
  word = word.toLowerCase().replace(/[‏‎]/g, "").replace(/\s+/g, " ").trim();
  if (!word || /^\d+$/.test(word)) return;
  if (!lists.has(key)) lists.set(key, new Set());
  lists.get(key).add(word);
}
const locale = (code) => `${code}-u-ca-gregory-nu-latn`;
function addMonths(code) {
  for (const style of ["long", "short"]) {
    for (const others of [{}, {year: "numeric"}, {day: "numeric"}]) {
      const format = new Intl.DateTimeFormat(locale(code), {timeZone: "UTC", month: style, ...others});
      for (let m = 0; m < 12; m++) {
        const word = format.formatToParts(day(m)).find((p) => p.type === "month").value.replace(/\.$/, "");
        if (!/\d/.test(word) && [...word].length > 1) add(`month ${m + 1}`, word);
      }
    }
  }
}
function addUnits(code) {
  for (const unit of ["year", "month"]) {
    for (const unitDisplay of ["long", "short"]) {
      const format = new Intl.NumberFormat(locale(code), {style: "unit", unit, unitDisplay});
      for (const n of [1, 2, 3, 5, 11, 1.5]) {
        add(unit + "s", format.formatToParts(n).filter((p) => p.type === "unit").map((p) => p.value).join("").replace(/\.$/, ""));
      }
    }
  }
}
function addToday(code) {
  const format = new Intl.RelativeTimeFormat(code, {numeric: "auto"});
  add("today", format.format(0, "day"));
  add("today", format.format(0, "second"));
}
// Countries with cities.
const places = ["places.txt", "cities.txt"].map((file) => readFileSync(new URL(file, import.meta.url), "utf8")).join("");
const regions = new Set(places.split("\n").filter((l) => l[2] === ":").map((l) => l.slice(0, 2)));
const spoken = new Set(("en de fr es pt it nl sv da no fi is pl cs sk hu ro bg el tr uk ru be hr sr bs sl mk sq et lv lt ga gd cy ca eu gl lb mt " +
  "zh yue ja ko vi th lo km my id ms fil tl jv ar fa he ur ps ku hi bn mr ta te gu kn ml pa or as sa si ne ka hy az kk ky uz tk mn bo sw ha yo ig am so zu xh af sn wo rw lg ln mi la eo yi").split(" "));
for (const code of codes) {
  addMonths(code); addUnits(code); addToday(code);
}
for (const code of fewer) {
  const names = new Intl.DisplayNames(code, {type: "region", fallback: "none"});
  for (const region of regions) {
    const name = names.of(region);
    if (name) add(`country ${region}`, name.replace(/\s*[（(].*$/, ""));
  }
  const tongues = new Intl.DisplayNames(code, {type: "language", fallback: "none"});
  for (const tongue of spoken) {
    const name = tongues.of(tongue);
    if (name) add(`language ${new Intl.DisplayNames("en", {type: "language"}).of(tongue)}`, name.replace(/\s*[（(].*$/, ""));
  }
}
const meanings = new Map();
for (const [key, words] of [...lists].sort(([a], [b]) => a < b ? -1 : 1)) {
  const kind = key.split(" ")[0];
  const own = [...words].filter((w) => (meanings.get(kind + w) ?? key) === key);
  own.forEach((w) => meanings.set(kind + w, key));
  console.log(`${key}: ${own.join("|")}`);
}
