// Prints the months of languages as a data file: node local/lab/resumeset/months.mjs en de …
// They are CLDR's, as Node's ICU has them, in the form that stands with a year.
for (const code of process.argv.slice(2)) {
  for (const [key, month] of [["long", "long"], ["short", "short"]]) {
    const format = new Intl.DateTimeFormat(`${code}-u-ca-gregory-nu-latn`, {timeZone: "UTC", month, year: "numeric"});
    const names = [...Array(12).keys()].map((m) =>
      format.formatToParts(new Date(Date.UTC(2019, m, 15))).find((p) => p.type === "month").value);
    console.log(`${code}.${key}: ${names.join(" | ")}`);
  }
}
