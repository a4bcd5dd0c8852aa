import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requirePrograms, runProgram } from './run-server.ts'

const python = '/usr/bin/python3'

/** The packages of a requirements file, installed once for each list of them. Answers the interpreter that has them. */
export const installPython = async (name: string, requirements: string): Promise<string> => {
  requirePrograms([python], 'apt-get install -y python3-venv')
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `plumbline-${name}-${digest}`)
  const interpreter = join(folder, 'bin', 'python')
  // Written last: an installation that was cut off is done again.
  const done = join(folder, 'installed')
  if (existsSync(done)) return interpreter
  await runProgram(python, ['-m', 'venv', '--clear', folder])
  await runProgram(interpreter, ['-m', 'pip', 'install', '--quiet', '--no-input', '-r', requirements])
  writeFileSync(done, '')
  return interpreter
}
