import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveCommand } from '../workspaces/served-command.ts'
import { stepsOf } from './documented-steps.ts'

/* The commands of a page, one after the other in one shell after the other, as a reader types them. */

/** What is done by the test: the reader starts the server and stands in the folder. */
const isOurs = (line: string): boolean => /^(npm |cd )/.test(line)

/** What these pages use of curl, so that the test needs no curl. */
const curl = `import { parseArgs } from 'node:util'
const text = { type: 'string' }
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { silent: { type: 'boolean', short: 's' }, output: { ...text, short: 'o' },
    request: { ...text, short: 'X' }, 'oauth2-bearer': text, json: text },
})
const { ok, status } = await fetch(positionals[0], {
  method: values.request ?? 'POST',
  headers: { authorization: 'Bearer ' + values['oauth2-bearer'], 'content-type': 'application/json' },
  body: values.json,
})
if (!ok) throw new Error('HTTP ' + status)
`

const tool = async (folder: string, name: string, text: string): Promise<void> => {
  const file = join(folder, name)
  await writeFile(file, `#!/bin/sh\n${text}\n`)
  await chmod(file, 0o755)
}

const toolsIn = async (folder: string, command: string): Promise<void> => {
  await mkdir(folder)
  await writeFile(join(folder, 'curl.mjs'), curl)
  await tool(folder, 'curl', `exec "${process.execPath}" "${folder}/curl.mjs" "$@"`)
  await tool(folder, 'npx', `shift; ${command}`)
}

export interface Played {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `real` turns what the page says into what is so here, such as the address of a server; `documented` turns it back. */
export interface PlayOptions {
  readonly folder: string
  readonly real: (text: string) => string
  readonly documented: (text: string) => string
}

export const playPage = async (page: string, { folder, real, documented }: PlayOptions): Promise<readonly Played[]> => {
  const tools = await mkdtemp(join(tmpdir(), 'plumbline-page-'))
  await using command = await serveCommand()
  try {
    await toolsIn(join(tools, 'bin'), command.line)
    const run = async (script: string): Promise<Played> => {
      const env = { PATH: `${join(tools, 'bin')}:${process.env['PATH']}`, HOME: process.env['HOME'] }
      const child = spawn('sh', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
      const written = { stdout: '', stderr: '' }
      child.stdout.on('data', (part) => (written.stdout += part))
      child.stderr.on('data', (part) => (written.stderr += part))
      const [code] = await once(child, 'close')
      return { code: code as number | null, ...written }
    }
    let exports = ''
    let digest = ''
    const played: Played[] = []
    for (const { commands } of stepsOf(page)) {
      const lines = real(commands).replace(/sha256:[0-9a-f]{64}/g, () => digest)
      const own = lines.split('\n').filter((line) => !isOurs(line))
      const ended = await run(`${exports}${own.join('\n')}`)
      digest = /sha256:[0-9a-f]{64}/.exec(ended.stdout)?.[0] ?? digest
      exports += own
        .filter((line) => line.startsWith('export '))
        .map((line) => `${line}\n`)
        .join('')
      played.push({ ...ended, stdout: documented(ended.stdout) })
    }
    return played
  } finally {
    await rm(tools, { recursive: true, force: true })
  }
}
