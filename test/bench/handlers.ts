import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bundleHandlers, handlers } from '../../infra/bundle.ts'

const runs = 10

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The file and all that it imports before its first line runs. */
const staticFiles = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  for (const [, path] of text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
    staticFiles(join(dirname(file), path ?? ''), seen)
  return seen
}

const bytes = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + statSync(file).size, 0)

const milliseconds = (args: readonly string[]): number => {
  const start = performance.now()
  execFileSync(process.execPath, args, { env: { ...process.env, TABLE_NAME: 'bench', AWS_REGION: 'eu-central-1' } })
  return performance.now() - start
}

const kib = (size: number): string => `${Math.round(size / 1024)} KiB`

/** Sizes of the Lambda bundles, and what importing one takes above a bare node: medians of whole processes. */
export const benchHandlers = (write: (line: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  try {
    bundleHandlers(folder)
    const bare = median(Array.from({ length: runs }, () => milliseconds(['-e', '0'])))
    write(`bare node                ${bare.toFixed(0)} ms`)
    for (const name of handlers) {
      const file = join(folder, name, `${name}.mjs`)
      const all = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
        .map((path) => join(folder, name, path))
        .filter((path) => statSync(path).isFile())
      const time = median(
        Array.from({ length: runs }, () =>
          milliseconds(['--input-type=module', '-e', `await import(${JSON.stringify(file)})`]),
        ),
      )
      write(
        `${name.padEnd(10)} at import ${kib(bytes(staticFiles(file)))}, with files that are loaded later ${kib(bytes(all))}, import ${(time - bare).toFixed(0)} ms more than bare node`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
