import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleHandlers } from '../../infra/bundle.ts'

const runs = 10

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const milliseconds = (args: readonly string[]): number => {
  const start = performance.now()
  execFileSync(process.execPath, args, { env: { ...process.env, TABLE_NAME: 'bench', AWS_REGION: 'eu-central-1' } })
  return performance.now() - start
}

const kib = (size: number): string => `${Math.round(size / 1024)} KiB`

/** Sizes of the Lambda bundles, and what importing one takes above a bare node: medians of whole processes. */
export const benchHandlers = async (write: (line: string) => void): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  try {
    const sizes = await bundleHandlers(folder)
    const bare = median(Array.from({ length: runs }, () => milliseconds(['-e', '0'])))
    write(`bare node                ${bare.toFixed(0)} ms`)
    for (const [name, { atImport, all }] of sizes) {
      const file = join(folder, name, `${name}.mjs`)
      const time = median(
        Array.from({ length: runs }, () =>
          milliseconds(['--input-type=module', '-e', `await import(${JSON.stringify(file)})`]),
        ),
      )
      write(
        `${name.padEnd(10)} at import ${kib(atImport)}, with files that are loaded later ${kib(all)}, import ${(time - bare).toFixed(0)} ms more than bare node`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
