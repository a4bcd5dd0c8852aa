import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import { buildTofuReport } from '../../../../core/pages/tofu/compat/build-report.ts'
import { renderTofuReport } from '../../../../core/pages/tofu/compat/render/render-report.ts'
import { buildView } from '../../../../core/pages/tofu/view/build-view.ts'
import { allSources, type OddDocument, oddDocument } from '../builders/odd-documents.ts'
import { readParts } from '../builders/read-parts.ts'
import { renderView } from '../builders/rendered.ts'

/*
 * `npm run fuzz:render [count] [seed]`: documents with anything in any place, in every format and in each product's page.
 * None may throw but a refusal, hold a word of the engine's own, or take longer than a second. Ends with 1 at the first.
 */

const [count = 100_000, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const limit = 1_000
const batch = 1_000
const formats = ['text', 'markdown', 'html', 'json', 'summary'] as const
const products = ['opentofu', 'terraform'] as const

/** Two of the seven pages by turns; those of ours share the view. */
const pagesOf = (odd: OddDocument, turn: number): readonly string[] => {
  const { document, schemas } = readParts(odd.document, odd.schemas)
  const compat = products[turn % products.length] ?? 'opentofu'
  const format = formats[turn % formats.length] ?? 'text'
  return [
    renderTofuReport(buildTofuReport(document, { schemas, compat }), { compat }),
    renderView(buildView(document, { schemas }), { format, title: 'plan.json', width: 100 }),
  ]
}

const judge = (
  odd: OddDocument,
  turn: number,
): { readonly took: number; readonly fault?: string; readonly refused?: true } => {
  const before = process.cpuUsage()
  const tookSince = (): number => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  try {
    const pages = pagesOf(odd, turn)
    const took = tookSince()
    const word = ['[object Object]', 'cannot be compared'].find((each) => pages.some((page) => page.includes(each)))
    if (word !== undefined) return { took, fault: `a page says "${word}"` }
    return took > limit ? { took, fault: `it took ${took.toFixed(0)} ms` } : { took }
  } catch (error) {
    if (isAppError(error, 'USAGE')) return { took: tookSince(), refused: true }
    return { took: tookSince(), fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const sources = allSources()
const slowest: { took: number; name: string; at: number }[] = []
let refused = 0
let total = 0

const keep = (odd: OddDocument, at: number, fault: string): void => {
  const file = join(tmpdir(), `plumbline-fuzz-${seed}-${at}.json`)
  writeFileSync(file, JSON.stringify(odd))
  say(`FAILED document ${at} of seed ${seed} (${odd.name}), kept in ${file}: ${fault}`)
  process.exitCode = 1
}

for (let at = 0; at < count && process.exitCode !== 1; at += batch) {
  const odd = fc.sample(oddDocument(sources), { seed: seed + at, numRuns: Math.min(batch, count - at) })
  for (const [index, document] of odd.entries()) {
    const { took, fault, refused: isRefused = false } = judge(document, at + index)
    if (fault !== undefined) keep(document, at + index, fault)
    if (isRefused) refused += 1
    total += took
    slowest.push({ took, name: document.name, at: at + index })
  }
  slowest.sort((a, b) => b.took - a.took)
  slowest.length = Math.min(slowest.length, 5)
}
say(
  `${count} documents of ${sources.length} sources, seed ${seed}: ${refused} refused, ${(total / count).toFixed(2)} ms each`,
)
for (const { took, name, at } of slowest) say(`slowest: ${took.toFixed(0)} ms, document ${at} (${name})`)
