import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleHandlers } from '../../infra/bundle.ts'

const runs = 10

/** CPU time of a process that runs this module, in milliseconds: the least of all runs, because other work only adds to it. */
const cpuOf = (code: string): number => {
  const report = 'const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1000))'
  const env = { ...process.env, TABLE_NAME: 'bench', AWS_REGION: 'eu-central-1' }
  const once = () => execFileSync(process.execPath, ['--input-type=module', '-e', `${code}; ${report}`], { env })
  return Math.min(...Array.from({ length: runs }, () => Number(once())))
}

const kib = (size: number): string => `${Math.round(size / 1024)} KiB`

/** Sizes of the Lambda bundles, and the CPU time of importing one above that of a bare node. */
export const benchHandlers = async (write: (line: string) => void): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  try {
    const sizes = await bundleHandlers(folder)
    const bare = cpuOf('0')
    write(`bare node                ${bare.toFixed(0)} ms`)
    for (const [name, { atImport, all }] of sizes) {
      const file = join(folder, name, `${name}.mjs`)
      const time = cpuOf(`await import(${JSON.stringify(file)})`) - bare
      write(
        `${name.padEnd(10)} at import ${kib(atImport)}, with files that are loaded later ${kib(all)}, import ${time.toFixed(0)} ms more than bare node`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
