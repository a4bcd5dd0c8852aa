import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { readOnly } from '../../../core/engine/transport/read-only.ts'
import type { WireRequest } from '../../../core/engine/transport/transport.ts'
import { createExecTransport, type ExecOptions } from '../../../functions/adapters/transport/exec/exec.ts'
import { createTransport } from '../../../functions/adapters/transport/index.ts'
import { long } from '../../builders/long.ts'
import { temporaryFolder } from '../../builders/workspaces/workspace.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'bin'))
})
afterEach(() => folder.remove())

/** A program of the test, before all others in its PATH. */
const program = (name: string, script: string): void => {
  const path = join(folder.path, 'bin', name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
}

const call = (name: string, args: Json, rest: Partial<WireRequest> & { readonly env?: Json } = {}): WireRequest => {
  const { env, ...others } = rest
  return {
    method: 'POST',
    url: `exec:///${name}`,
    effect: 'write',
    body: env === undefined ? { args } : { args, env },
    ...others,
  }
}

const transport = (options: Partial<ExecOptions> = {}) =>
  createExecTransport({
    programs: ['git', 'try'],
    timeoutMs: 20_000,
    graceMs: 200,
    path: `${join(folder.path, 'bin')}:${process.env['PATH']}`,
    ...options,
  })

describe('a program as a target', () => {
  it('receives its arguments one by one, whatever they hold, without a shell', async () => {
    program('try', 'for each in "$@"; do printf "[%s]" "$each"; done')
    const args = ['$(touch pwned)', '; rm -rf /', '`id`', '-n', '', 'two\nlines', '"', "'", 'a b', 'ä€😀', '*']
    expect(await transport().send(call('try', args))).toMatchObject({
      status: 200,
      body: { exitCode: 0, stdout: args.map((each) => `[${each}]`).join('') },
    })
    expect(existsSync('/pwned')).toBe(false)
  })

  it('has a small environment: the given variables, PATH and the language, and nothing of this process', async () => {
    program('try', 'env')
    process.env['PLUMBLINE_TEST_SECRET'] = 'not for programs'
    const { body } = await transport().send(call('try', [], { env: { HOME: '/home/me' } }))
    delete process.env['PLUMBLINE_TEST_SECRET']
    const names = String((body as { stdout: string }).stdout)
      .split('\n')
      .flatMap((line) => line.split('=')[0] || [])
    // PWD, SHLVL, _ and OLDPWD are made by the shell that is the program here.
    expect(names.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)).toSorted()).toEqual([
      'HOME',
      'LANG',
      'LC_ALL',
      'PATH',
    ])
  })

  it('has no input, and runs in the root folder', async () => {
    program('try', 'pwd; cat; echo end')
    expect(await transport().send(call('try', []))).toMatchObject({ body: { stdout: '/\nend\n' } })
  })

  it('reports its exit code and its shortened output', async () => {
    program('try', 'echo out; i=0; while [ $i -lt 2000 ]; do echo "no such thing $i" >&2; i=$((i+1)); done; exit 7')
    const { status, body } = await transport().send(call('try', []))
    expect(status).toBe(422)
    expect(body).toMatchObject({ exitCode: 7, stdout: 'out\n', detail: expect.stringContaining('exit code 7: ') })
    expect(JSON.stringify(body).length).toBeLessThan(6_000)
  })

  it('is quoted with whole last lines, because a part of a secret would not be found in them', async () => {
    program('try', 'i=0; while [ $i -lt 99 ]; do echo "no such thing $i" >&2; i=$((i+1)); done; exit 7')
    const { body } = await transport().send(call('try', []))
    const { detail } = body as { readonly detail: string }
    expect(detail).toMatch(
      /^the program ended with exit code 7: no such thing \d+\n(no such thing \d+\n)+no such thing 98$/,
    )
    expect(detail.length).toBeLessThan(450)
    program('try', `echo ${'x'.repeat(500)} >&2; exit 7`)
    expect(await transport().send(call('try', []))).toMatchObject({
      body: { detail: 'the program ended with exit code 7: what it said is too long to be shown' },
    })
  })

  it('does not succeed if a signal ends it', async () => {
    program('try', 'kill -9 $$')
    expect(await transport().send(call('try', []))).toMatchObject({ status: 422, body: { exitCode: null } })
  })

  it.each<[string, WireRequest, number]>([
    ['a missing one', call('try', []), 501],
    ['a NUL character', call('git', ['config', 'a\0b']), 400],
    ['too long an argument', call('git', ['x'.repeat(3_000_000)]), 400],
    ['arguments that are no list', call('git', 'status'), 400],
    ['an argument that is no text', call('git', [1]), 400],
    ['a variable that names programs', call('git', [], { env: { PATH: '/tmp' } }), 400],
    ['a variable that names a library', call('git', [], { env: { LD_PRELOAD: '/tmp/x.so' } }), 400],
    ['a variable of git', call('git', [], { env: { GIT_DIR: '/tmp' } }), 400],
    ['another member', call('git', [], { body: { args: [], shell: true } }), 400],
    ['another method', call('git', [], { method: 'PUT' }), 405],
  ])('reports by a status that %s', async (_, request, status) => {
    expect((await transport().send(request)).status).toBe(status)
  })

  it('is forbidden if the file may not be executed', async () => {
    writeFileSync(join(folder.path, 'bin/try'), '#!/bin/sh\n', { mode: 0o644 })
    expect((await transport({ path: join(folder.path, 'bin') }).send(call('try', []))).status).toBe(403)
  })

  it.each(['sh', '../bin/sh', 'bin/sh', '%67it', 'git?x', 'GIT', '-git', ''])(
    'does not run as %j if no provider declares it',
    async (name) => {
      await expect(transport().send(call(name, []))).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
    },
  )

  it('is not searched for in a relative folder of PATH', async () => {
    symlinkSync('/bin/true', join(folder.path, 'bin/try'))
    expect((await transport({ path: `.:bin::${folder.path}/none` }).send(call('try', []))).status).toBe(501)
    expect((await transport({ path: `${folder.path}/bin` }).send(call('try', []))).status).toBe(200)
  })

  it('does not start when its permission has ended', async () => {
    program('try', `touch ${folder.path}/ran`)
    const request = call('try', [], { mayLeave: () => false })
    await expect(transport().send(request)).rejects.toMatchObject({ payload: { reason: 'unsent' } })
    expect(existsSync(join(folder.path, 'ran'))).toBe(false)
  })
})

describe('a program that misbehaves', () => {
  const alive = (file: string): boolean => {
    try {
      return process.kill(Number(readFileSync(join(folder.path, file), 'utf8')), 0)
    } catch {
      return false
    }
  }
  const ended = async (): Promise<void> => {
    while (alive('pid') || alive('child')) await wait(10)
  }
  const hangs = () =>
    program('try', `trap '' TERM; sleep 300 & echo $! > ${folder.path}/child; echo $$ > ${folder.path}/pid; wait; wait`)

  it('has an unknown result when it hangs in a write, and leaves no process behind', long, async () => {
    hangs()
    const sent = transport({ timeoutMs: 300 }).send(call('try', []))
    await expect(sent).rejects.toMatchObject({ code: 'REQUEST_FAILED', payload: { reason: 'timeout' } })
    await ended()
  })

  it('is answered by a status that is not tried again when it hangs in a read', long, async () => {
    hangs()
    expect((await transport({ timeoutMs: 300 }).send(call('try', [], { effect: 'read' }))).status).toBe(408)
    await ended()
  })

  it('is cancelled when it hangs', long, async () => {
    hangs()
    const controller = new AbortController()
    const sent = transport().send(call('try', []), controller.signal)
    setTimeout(() => controller.abort(), 200)
    await expect(sent).rejects.toMatchObject({ payload: { reason: 'cancelled' } })
    await ended()
  })

  it('is not started once it is cancelled', async () => {
    program('try', `touch ${folder.path}/done`)
    const sent = transport().send(call('try', []), AbortSignal.abort())
    await expect(sent).rejects.toMatchObject({ payload: { reason: 'unsent' } })
    expect(existsSync(join(folder.path, 'done'))).toBe(false)
  })

  it('is stopped when it writes too much in a read', async () => {
    program('try', `echo $$ > ${folder.path}/pid; yes`)
    const sent = transport({ maxBytes: 10_000 }).send(call('try', [], { effect: 'read' }))
    await expect(sent).rejects.toMatchObject({ code: 'RESPONSE_TOO_LARGE', payload: { limit: 10_000 } })
    await ended()
  })

  it('ends by itself when it writes too much in a write, and the beginning of its output is kept', async () => {
    program('try', `yes | head -c 1000000; touch ${folder.path}/done`)
    const { status, body } = await transport().send(call('try', []))
    expect([status, String((body as { stdout: string }).stdout).length]).toEqual([200, 4_096])
    expect(existsSync(join(folder.path, 'done'))).toBe(true)
  })

  it('may write bytes that are not a text', async () => {
    program('try', String.raw`printf '\377\376'`)
    const sent = transport().send(call('try', [], { effect: 'read' }))
    await expect(sent).rejects.toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  it('does not delay the answer when it leaves a process behind that holds its pipes', async () => {
    program('try', `sleep 300 & echo $! > ${folder.path}/child; echo started`)
    expect(await transport().send(call('try', []))).toMatchObject({ status: 200, body: { stdout: 'started\n' } })
    process.kill(Number(readFileSync(join(folder.path, 'child'), 'utf8')))
  })
})

describe('a place where no programs run', () => {
  it.each([
    ['in Lambda', createTransport()({ fileRoots: [], programs: ['git'] })],
    [
      'for a provider that names none',
      createTransport({ exec: (options) => createExecTransport({ ...options, path: '/bin' }) })({ fileRoots: [] }),
    ],
  ])('answers EXEC_UNAVAILABLE: %s', async (_, transport) => {
    await expect(transport.send(call('git', ['--version']))).rejects.toMatchObject({ code: 'EXEC_UNAVAILABLE' })
  })

  it('lets a check send only calls that are declared', async () => {
    const args = ['config', '--file', '/home/me/.gitconfig', '--null', '--list']
    const checked = readOnly(transport())
    const read = { effect: 'read' } as const
    const refused = { code: 'WRITE_IN_CHECK' }
    await expect(checked.send(call('git', args))).rejects.toMatchObject(refused)
    await expect(checked.send(call('git', [...args, '--unset'], read))).rejects.toMatchObject(refused)
    await expect(checked.send(call('try', args, read))).rejects.toMatchObject(refused)
    // A read that is declared gets through: here to git, which finds no such file.
    expect((await checked.send(call('git', args, read))).status).toBe(422)
  })
})
