import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { execOn } from '../../../functions/adapters/transport/exec/exec.ts'
import { createTransport } from '../../../functions/adapters/transport/index.ts'
import { temporaryFolder } from '../../builders/workspaces/workspace.ts'

let folder: ReturnType<typeof temporaryFolder>
let home: string
beforeEach(() => {
  folder = temporaryFolder()
  home = join(folder.path, 'home')
  for (const name of ['home/sub', 'outside', 'bin']) mkdirSync(join(folder.path, name), { recursive: true })
})
afterEach(() => {
  vi.unstubAllEnvs()
  folder.remove()
})

/** What happens in the home while git works. */
const meanwhile = (script: string): void => {
  const path = join(folder.path, 'bin', 'git')
  writeFileSync(path, `#!/bin/sh\ncd '${home}'\n${script}\nPATH='${process.env['PATH']}' exec git "$@"\n`)
  chmodSync(path, 0o755)
}

const git = (file: string, ...args: string[]) => {
  const exec = execOn(`${join(folder.path, 'bin')}:${process.env['PATH']}`)
  return createTransport({ exec })({ fileRoots: [home], programs: ['git'] }).send({
    method: 'POST',
    url: 'exec:///git',
    effect: args.includes('--list') ? 'read' : 'write',
    body: { args: ['config', '--file', file, ...args], env: { HOME: home } },
  })
}

describe('git writes its configuration', () => {
  it('and never through a folder that was exchanged for a link meanwhile', async () => {
    meanwhile('mv sub away && ln -s ../outside sub')
    expect(await git(join(home, 'sub/config'), '--replace-all', 'a.b', 'c')).toMatchObject({
      status: 403,
      body: { reason: 'outside_root' },
    })
    expect(readdirSync(join(folder.path, 'outside'))).toEqual([])
  })

  it('and not outside of the root, whatever was approved', async () => {
    expect(await git(join(folder.path, 'outside/config'), '--replace-all', 'a.b', 'c')).toMatchObject({ status: 403 })
    expect(readdirSync(join(folder.path, 'outside'))).toEqual([])
  })

  it('and not over what another program wrote meanwhile', async () => {
    meanwhile('echo "[x]" > sub/config')
    expect(await git(join(home, 'sub/config'), '--replace-all', 'a.b', 'c')).toMatchObject({ status: 412 })
    expect(readFileSync(join(home, 'sub/config'), 'utf8')).toBe('[x]\n')
  })

  it('with the mode that the file has, and leaves no copy', async () => {
    const file = join(home, 'sub/config')
    const temporary = join(folder.path, 'outside')
    vi.stubEnv('TMPDIR', temporary)
    writeFileSync(file, '# mine \xe9\n', { encoding: 'latin1', mode: 0o640 })
    expect(await git(file, '--replace-all', 'a.b', '-c')).toMatchObject({ status: 200, body: { exitCode: 0 } })
    expect(readFileSync(file, 'latin1')).toBe('# mine \xe9\n[a]\n\tb = -c\n')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(await git(file, '--unset-all', 'a.b')).toMatchObject({ status: 200 })
    expect(readFileSync(file, 'latin1')).not.toContain('-c')
    expect(readdirSync(temporary)).toEqual([])
  })

  it('and names the file, not the copy, in what it says', async () => {
    const file = join(home, 'sub/config')
    writeFileSync(file, '[\n')
    expect(await git(file, '--null', '--list')).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(`bad config line 1 in file ${file}`) },
    })
  })
})
