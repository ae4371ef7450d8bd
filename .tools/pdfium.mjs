// Writes the module of pdfium that the resume reader runs, and beside it pdfium.sum with its version and hash:
// node pdfium.mjs FOLDER. The module is that of go-pdfium, in the version
// of go.mod, without what no function of exports.txt reaches, and with checks in its loops: every turnsPerCheck turns they
// call the imported function that would ask whether to pause drawing (checkImport of the reader's package pdf).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import binaryen from 'binaryen'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = ['list', '-m', '-f', '{{.Dir}}\n{{.Path}} {{.Version}}', 'github.com/klippa-app/go-pdfium']
const [library, version] = execFileSync('go', source, { cwd: root, encoding: 'utf8' }).split('\n')
const used = new Set(readFileSync(`${root}/shared/candidate/resume/pdf/exports.txt`, 'utf8').split(/\s+/))
const turnsPerCheck = 4096 // well under a millisecond's work

const whole = binaryen.readBinary(readFileSync(`${library}/internal/pdfium_wasm/pdfium.wasm`))
const exported = Array.from({ length: whole.getNumExports() }, (_, i) => binaryen.getExportInfo(whole.getExportByIndex(i)))
for (const { kind, name } of exported) {
  if (kind === binaryen.ExternalFunction && !used.has(name)) whole.removeExport(name)
}
whole.runPasses(['remove-unused-module-elements'])
const text = whole.emitText()
whole.dispose()

const [, pause] = text.match(/\(import "env" "IFSDK_PAUSE_NeedToPauseNow_CB" \(func (\S+)/)
const check = `
(if (i32.eqz (global.get $turns)) (then (global.set $turns (i32.const ${turnsPerCheck})) (drop (call ${pause} (i32.const 0)))))
(global.set $turns (i32.sub (global.get $turns) (i32.const 1)))`
const loops = /\(loop \$\S+(?: \(result \w+\))?$/gm
const checked = text.replace(loops, (head) => head + check).replace(/^ \(global /m, ' (global $turns (mut i32) (i32.const 0))$&')
if (checked.split(check).length !== text.split('(loop ').length) throw new Error('a loop has no check')

const module = binaryen.parseText(checked)
const { MutableGlobals, NontrappingFPToInt, SIMD128, BulkMemory, BulkMemoryOpt, SignExt, ExceptionHandling, ReferenceTypes, Multivalue } =
  binaryen.Features // those that wazero knows
module.setFeatures(MutableGlobals | NontrappingFPToInt | SIMD128 | BulkMemory | BulkMemoryOpt | SignExt | ExceptionHandling |
  ReferenceTypes | Multivalue)
if (!module.validate()) throw new Error('the module is not valid')
const made = module.emitBinary()
const hash = createHash('sha256').update(made).digest('hex')
writeFileSync(`${process.argv[2]}/pdfium.wasm`, made)
writeFileSync(`${process.argv[2]}/pdfium.sum`, `${version} sha256:${hash}\n`)
