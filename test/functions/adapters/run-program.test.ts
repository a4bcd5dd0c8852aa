import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { runProgram } from '../../../functions/adapters/transport/exec/run-program.ts'

const growing = 'const all = []; setInterval(() => all.push(Buffer.alloc(10_000_000, 1)), 1)'
const mebibyte = 1024 * 1024

const run = (text: string, maxMemory?: number) =>
  runProgram({
    program: 'node',
    args: ['-e', text],
    env: {},
    path: dirname(process.execPath),
    timeoutMs: 60_000,
    maxBytes: 1_000,
    isCut: false,
    ...(maxMemory === undefined ? {} : { maxMemory }),
  })

// Other systems do not show the memory of a process in a file.
it.runIf(process.platform === 'linux')('a program that takes more memory than it may is ended', async () => {
  expect(await run(growing, 400 * mebibyte)).toEqual({ kind: 'flood', of: 'memory' })
  expect(await run('console.log(1)', 400 * mebibyte)).toMatchObject({ kind: 'ended', exitCode: 0 })
})
