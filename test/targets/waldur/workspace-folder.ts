import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { staffToken } from './installed.ts'

const root = resolve(import.meta.dirname, '../../..')

/** A folder with a workspace and the document of the example, and the command of the product for it. */
export const workspaceFolder = (entry: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-waldur-workspace-'))
  cpSync(join(root, 'examples/waldur/waldur.provider.yaml'), join(folder, 'waldur.provider.yaml'))
  writeFileSync(join(folder, 'plumbline.yaml'), entry)
  /** A process of its own; `ended` is its exit code. */
  const run = (...words: string[]) => {
    const child = spawn(process.execPath, [join(root, 'functions/cli/main.ts'), ...words, folder], {
      env: { ...process.env, WALDUR_TOKEN: staffToken, NO_COLOR: '1' },
    })
    const texts: string[] = []
    child.stdout.on('data', (text) => texts.push(String(text)))
    child.stderr.on('data', (text) => texts.push(String(text)))
    const ended = once(child, 'close').then(([code]) => code as number | null)
    return { ended, output: () => texts.join(''), kill: () => child.kill('SIGKILL') }
  }
  return { run, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}
