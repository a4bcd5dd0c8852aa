import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { alignCells } from '#core'
import { bundleOptions } from '../../../../infra/bundle.ts'
import { type Subject, schemas, subjects, writePlan } from './render-documents.ts'

/*
 * Figures, not tests: `npm run bench:render`. Each page is made in a process of its own, bundled as the command is, at one,
 * two and four times the size of its goal. Ends with 1 where a goal is missed by far, or time grows by far faster than the
 * plan does.
 */

interface Measured {
  /** Milliseconds until the document was read, and in all. */
  readonly read: number
  readonly all: number
  /** Of all threads; other work on the machine does not count. */
  readonly cpu: number
  /** Of the whole process, in MiB. */
  readonly peak: number
  /** Characters. */
  readonly page: number
}

const styles = ['ours', 'opentofu', 'terraform'] as const
/** Of the same machine on another day. */
const byFar = 2
const folder = mkdtempSync(join(tmpdir(), 'plumbline-render-'))
const bundle = join(folder, 'render-case.mjs')
const rows: string[][] = []
const missed: string[] = []

const runs = 3

const runOnce = (plan: string, style: string): Measured =>
  JSON.parse(execFileSync(process.execPath, [bundle, plan, join(folder, 'schemas.json'), style], { encoding: 'utf8' }))

/** The best of some runs, as what disturbs only ever adds. Long ones are measured once. */
const measure = (plan: string, style: string): Measured => {
  let best = runOnce(plan, style)
  for (let run = 1; run < runs && best.all < 1_000; run += 1) {
    const other = runOnce(plan, style)
    if (other.cpu < best.cpu) best = other
  }
  return best
}

const judge = ({ name, goal }: Subject, style: string, [first, , last]: readonly Measured[]): void => {
  if (first === undefined || last === undefined) return
  if (first.cpu > goal.time * byFar)
    missed.push(`${name}, ${style}: ${first.cpu.toFixed(0)} ms instead of ${goal.time}`)
  if (first.peak > goal.memory * byFar)
    missed.push(`${name}, ${style}: ${first.peak.toFixed(0)} MiB instead of ${goal.memory}`)
  const growth = last.cpu / first.cpu
  if (growth > 4 * byFar) missed.push(`${name}, ${style}: ${growth.toFixed(1)} times the time for four times the size`)
}

const benchSubject = async (subject: Subject): Promise<void> => {
  const found = new Map<string, Measured[]>(styles.map((style) => [style, []]))
  for (const size of [subject.n, 2 * subject.n, 4 * subject.n]) {
    const plan = join(folder, 'plan.json')
    const entries = [...subject.entries(size)]
    await writePlan(plan, entries)
    const megabytes = statSync(plan).size / 2 ** 20
    for (const style of styles) {
      const measured = measure(plan, style)
      const before = found.get(style)?.at(-1)
      found.get(style)?.push(measured)
      rows.push([
        `${size} ${subject.name}`,
        style,
        `${megabytes.toFixed(1)} MiB`,
        `${measured.read.toFixed(0)} ms`,
        `${measured.all.toFixed(0)} ms`,
        `${measured.cpu.toFixed(0)} ms`,
        before === undefined ? '' : `x ${(measured.cpu / before.cpu).toFixed(2)}`,
        `${measured.peak.toFixed(0)} MiB`,
        `${(measured.page / 1024).toFixed(0)} KiB`,
      ])
    }
  }
  for (const [style, measured] of found) judge(subject, style, measured)
}

try {
  const entry = join(import.meta.dirname, 'render-case.ts')
  await build({ ...bundleOptions, entryPoints: { 'render-case': entry }, outdir: folder })
  writeFileSync(join(folder, 'schemas.json'), JSON.stringify(schemas))
  for (const subject of subjects) await benchSubject(subject)
  const heading = ['plan', 'page', 'file', 'read', 'in all', 'cpu', 'growth', 'peak', 'page of']
  process.stdout.write(`${alignCells([heading, ...rows].map((row) => row.map((text) => ({ text })))).join('\n')}\n`)
  for (const miss of missed) process.stdout.write(`MISSED ${miss}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
if (missed.length > 0) process.exitCode = 1
