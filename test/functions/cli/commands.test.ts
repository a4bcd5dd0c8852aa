import { chmod, mkdtemp, readdir, readFile, rename, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { long } from '../../builders/long.ts'
import { runCommand, tearoom } from '../../builders/workspaces/command.ts'

let room: Awaited<ReturnType<typeof tearoom>>
const motd = () => join(room.folder, 'machine', 'motd')
const run = (...args: readonly string[]) => runCommand(args, { folder: room.folder })
const json = async (...args: readonly string[]) => {
  const ended = await run(...args, '--json')
  return { ...ended, value: JSON.parse(ended.stdout) }
}

beforeAll(async () => {
  room = await tearoom()
})
afterAll(() => room.remove())

describe('a folder without a store', () => {
  test('lets validate list what is configured', long, async () => {
    const { code, value } = await json('validate')
    expect(code).toBe(0)
    expect(value).toMatchObject({
      valid: true,
      workspace: 'tea-room',
      resources: expect.arrayContaining(['host_file.motd']),
    })
  })

  test('lets validate name every problem at its place', long, async () => {
    const file = join(room.folder, 'plumbline.yaml')
    const right = await readFile(file, 'utf8')
    await writeFile(file, right.replace('name: motd', 'nam: motd').replace('schedule:', 'shedule:'))
    const { code, value, stderr } = await json('validate')
    await writeFile(file, right)
    expect(code).toBe(1)
    expect(stderr).toBe('')
    expect(value.error.code).toBe('CONFIG_INVALID')
    expect(value.error.issues.length).toBeGreaterThanOrEqual(2)
    expect(value.error.issues[0]).toMatchObject({
      file: 'plumbline.yaml',
      line: expect.any(Number),
      column: expect.any(Number),
    })
  })

  test.each([
    [['no-such-command'], 'USAGE'],
    [['check', '--no-such-option'], 'USAGE'],
    [['runs', '--limit', 'many'], 'USAGE'],
    [['apply', '--digest', 'sha256:short'], 'USAGE'],
    [['runs', '--endpoint', 'ftp://x'], 'USAGE'],
    [['check', './nowhere'], 'CONFIG_NOT_FOUND'],
  ])('lets %j be refused as %s', async (args, errorCode) => {
    const { code, value } = await json(...args)
    expect([code, value.error.code]).toEqual([1, errorCode])
    expect(value.error.hint).not.toBe('')
  })

  test.each([
    ['init', 'provider init'],
    ['verify', 'ledger verify'],
    ['plan', 'check'],
  ])('lets the unknown command %s be told as "%s"', async (word, meant) => {
    const { value } = await json(word)
    expect(value.error.message).toContain(`did you mean \`plumbline ${meant}\`?`)
  })

  test('lets an error name a file that the system refuses, and the reason', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-refused-'))
    await writeFile(join(folder, '.plumbline'), 'in the way')
    await writeFile(join(folder, 'plumbline.yaml'), 'workspace: refused\n')
    const { code, stdout } = await runCommand(['check', '--json'], { folder })
    await rm(folder, { recursive: true })
    const { error } = JSON.parse(stdout)
    expect([code, error.code]).toEqual([1, 'FILE_REFUSED'])
    expect(error.message).toContain(join(folder, '.plumbline'))
  })

  test('gets no files by commands where nothing is configured', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'plumbline-empty-'))
    const { code, stderr } = await runCommand(['runs'], { folder: empty })
    const found = await runCommand(['check'], { folder: empty })
    expect(await readdir(empty)).toEqual([])
    await rmdir(empty)
    expect(code).toBe(1)
    expect(stderr).toContain('CONFIG_NOT_FOUND')
    expect(found.stderr).toContain('CONFIG_NOT_FOUND')
  })

  test.each([[], ['--help'], ['--version'], ['ledger'], ['ledger', '--help']])('lets %j succeed', async (...args) => {
    const { code, stdout, stderr } = await run(...args)
    expect(code).toBe(0)
    expect(stdout).not.toBe('')
    expect(stderr).toBe('')
  })
})

describe('a drift from check to ledger', () => {
  let digest: string

  test('exits with 0 when all is in sync', async () => {
    const { code, value } = await json('check')
    expect(code).toBe(0)
    expect(value.plumbline.run.status).toBe('in_sync')
    expect(value.plumbline.inSync).toBe(true)
  })

  test('exits with 2 and shows the plan when something differs', async () => {
    await writeFile(motd(), 'Coffee only today.\n')
    const text = await run('check')
    expect(text.code).toBe(2)
    expect(text.stdout).toContain('Coffee only today.')
    expect(text.stdout).toMatch(/apply tea-room --digest sha256:[0-9a-f]{64}/)
    const { code, value } = await json('check')
    expect(code).toBe(2)
    digest = value.plumbline.digests.commands
    expect(text.stdout).toContain(digest)
  })

  test('is shown again by show, which reads nothing', async () => {
    await rename(motd(), `${motd()}.away`)
    const { code, value } = await json('show')
    await rename(`${motd()}.away`, motd())
    expect(code).toBe(2)
    expect(value.plumbline.digests.commands).toBe(digest)
  })

  test.each([
    ['text', /^tea-room: 1 change.*\n/],
    ['markdown', /^### .*tea-room/],
    ['html', /^<!doctype html>/i],
    ['summary', /^~ +host_file\.motd/],
    ['json', /^\{"format_version"/],
  ])('is shown by show --format %s', async (format, beginning) => {
    const { code, stdout } = await run('show', '--format', format)
    expect(code).toBe(2)
    expect(stdout).toMatch(beginning)
    expect(stdout).toContain('host_file.motd')
  })

  test('is not sent without anybody to ask', async () => {
    const { code, value } = await json('apply')
    expect([code, value.error.code]).toEqual([1, 'USAGE'])
    expect(await readFile(motd(), 'utf8')).toBe('Coffee only today.\n')
  })

  test('is logged by apply --check, which sends nothing and exits with 0', async () => {
    const { code, value } = await json('apply', '--check')
    expect(code).toBe(0)
    expect(value).toMatchObject({ mode: 'check', status: 'succeeded', digest, outcomes: [{ status: 'logged' }] })
    expect(await readFile(motd(), 'utf8')).toBe('Coffee only today.\n')
  })

  test('is shown, digested and logged alike by apply --target, which exits with 0', async () => {
    const shown = await json('show', '--target', 'host_file.motd')
    const { commands, digests } = shown.value.plumbline
    expect(commands.map(({ address }: { address: string }) => address)).toEqual(['host_file.motd'])
    const { code, value } = await json('apply', '--check', '--target', 'host_file.motd')
    expect(code).toBe(0)
    expect(value).toMatchObject({ digest: digests.commands, outcomes: [{ command: 'host_file.motd#1' }] })
    expect((await json('show', '--target', 'host_file.mtod')).value.error.code).toBe('TARGET_UNKNOWN')
  })

  test('can be saved by check --out, applied later, and is refused with what changed: 2, 0, 1, 2', async () => {
    const file = join(room.folder, 'kept/plan.json')
    expect((await run('check', '--out', 'kept/plan.json')).code).toBe(2)
    const saved = JSON.parse(await readFile(file, 'utf8'))
    expect(saved).toMatchObject({ format: 'plumbline-plan', workspace: 'tea-room', commandsDigest: digest })
    const logged = await json('apply', 'kept/plan.json', '--check')
    expect([logged.code, logged.value.digest]).toEqual([0, digest])
    expect((await json('apply', 'kept/plan.json', '--target', 'host_file.motd')).value.error.code).toBe('USAGE')
    await writeFile(file, JSON.stringify({ ...saved, runId: 'other' }))
    expect((await json('apply', 'kept/plan.json')).value.error.code).toBe('PLAN_FILE_INVALID')
    const configuration = join(room.folder, 'plumbline.yaml')
    const right = await readFile(configuration, 'utf8')
    await writeFile(file, JSON.stringify(saved))
    await writeFile(configuration, `${right}\n# later\n`)
    const stale = await json('apply', 'kept/plan.json')
    await writeFile(configuration, right)
    expect([stale.code, stale.value.error.code]).toEqual([2, 'SAVED_PLAN_STALE'])
    expect(stale.value.error.message).toContain('moved since: configuration; nothing was sent')
    expect(await readFile(motd(), 'utf8')).toBe('Coffee only today.\n')
    await rm(file)
  })

  test('is shown alone by check --refresh-only, which saves and selects nothing', async () => {
    const { code, value } = await json('check', '--refresh-only')
    expect(value).toMatchObject({
      resource_changes: [],
      plumbline: { view: 'drift', commands: [], inSync: false },
    })
    expect(code).toBe(value.resource_drift.length === 0 ? 0 : 2)
    expect((await json('check', '--refresh-only', '--out', 'x.json')).value.error.code).toBe('USAGE')
    expect((await json('show', '--refresh-only', '--target', 'a_b.c')).value.error.code).toBe('USAGE')
  })

  test('is not read by check --no-refresh, which saves and selects nothing and exits with 3', async () => {
    const { code, value } = await json('check', '--no-refresh')
    expect([code, value.plumbline.view, value.plumbline.commands]).toEqual([3, 'recorded', []])
    for (const more of [['--out', 'x.json'], ['--target', 'a_b.c'], ['--refresh-only']])
      expect((await json('check', '--no-refresh', ...more)).value.error.code).toBe('USAGE')
  })

  test('is printed by graph for Mermaid, Graphviz and programs, with exit code 0', async () => {
    expect((await json('graph')).value.nodes).toContainEqual(
      expect.objectContaining({ address: 'host_file.motd', action: 'update' }),
    )
    expect((await run('graph')).stdout).toMatch(/^flowchart LR\n/)
    expect((await run('graph', '--format', 'dot')).stdout).toContain(
      '"host_file.motd" [label = "host_file.motd\\nto change"',
    )
  })

  test('is refused with exit code 1 under an unknown digest', async () => {
    const { code, value } = await json('apply', '--digest', `sha256:${'0'.repeat(64)}`)
    expect([code, value.error.code]).toEqual([1, 'PLAN_NOT_FOUND'])
  })

  test('is refused with exit code 2 and the command that changed since', async () => {
    await writeFile(motd(), 'Tea is off.\n')
    const { code, value } = await json('apply', '--digest', digest)
    expect(code).toBe(2)
    expect(value).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(value.error.message).toContain('host_file.motd#1')
    expect(await readFile(motd(), 'utf8')).toBe('Tea is off.\n')
    await writeFile(motd(), 'Coffee only today.\n')
  })

  test('is sent with the approved digest, with exit code 0', async () => {
    const { code, value } = await json('apply', '--digest', digest, '--reason', 'tea again')
    expect(code).toBe(0)
    expect(value).toMatchObject({
      mode: 'execute',
      status: 'succeeded',
      reason: 'tea again',
      outcomes: [{ status: 'succeeded' }],
    })
    expect(await readFile(motd(), 'utf8')).toContain('Welcome to the tea room.')
    expect((await run('check')).code).toBe(0)
  })

  test('is planned and sent by apply --yes, which sends nothing when there is nothing', async () => {
    await writeFile(join(room.folder, 'machine', 'etc', 'coffee.ini'), 'x')
    expect((await json('apply', '--yes')).value).toMatchObject({ status: 'succeeded' })
    const again = await json('apply', '--yes')
    expect(again.code).toBe(0)
    expect(again.value.plumbline.run.status).toBe('in_sync')
  })

  test('is incomplete with exit code 3 where an object cannot be read', async () => {
    await rename(motd(), `${motd()}.away`)
    await symlink('/etc/passwd', motd())
    const { code, value } = await json('check')
    await rm(motd())
    await rename(`${motd()}.away`, motd())
    expect(code).toBe(3)
    expect(value.plumbline.run.status).toBe('incomplete')
    expect(JSON.stringify(value)).not.toContain('root:')
  })

  test('is in the ledger, which is listed, filtered and verified', async () => {
    const { value } = await json('ledger', 'list')
    expect(value.items.length).toBeGreaterThan(4)
    const { items } = (await json('ledger', 'list', '--address', 'host_file.coffee')).value
    expect(items.length).toBeGreaterThan(0)
    expect(
      items.every((entry: { command?: { address?: string } }) => entry.command?.address === 'host_file.coffee'),
    ).toBe(true)
    // Somebody searches in it: nothing is shortened where no terminal is.
    expect((await run('ledger', 'list')).stdout).toContain(`PUT ${motd()}`)
    const verdict = await json('ledger', 'verify')
    expect(verdict.code).toBe(0)
    expect(verdict.value).toMatchObject({ ok: true, entries: value.items.length })
  })

  test('can be verified off line in an export, where one changed byte gives exit code 1', async () => {
    const { stdout } = await run('ledger', 'export')
    const file = join(room.folder, 'export.ndjson')
    await writeFile(file, stdout)
    const { entries, head } = (await json('ledger', 'verify')).value
    const intact = { ok: true, workspace: 'tea-room', entries, head }
    expect((await json('ledger', 'verify', '--file', file)).value).toEqual(intact)
    expect((await json('ledger', 'verify', 'tea-room', '--file', file)).value).toEqual(intact)
    expect((await json('ledger', 'verify', 'other-room', '--file', file)).value).toMatchObject({ ok: false })
    expect((await run('ledger', 'verify', '--file', file, '--head', `${entries}:${head}`)).code).toBe(0)
    await writeFile(file, stdout.replace('tea again', 'tea Again'))
    expect((await json('ledger', 'verify', '--file', file)).code).toBe(1)
    const lines = stdout.split('\n').slice(0, -1)
    for (const at of lines.keys()) {
      await writeFile(file, lines.slice(0, at).join('\n'))
      expect((await run('ledger', 'verify', '--file', file)).code, `cut before line ${at + 1}`).toBe(1)
    }
    const some = (await run('ledger', 'export', '--address', 'host_file.motd')).stdout
    await writeFile(file, some)
    expect((await json('ledger', 'verify', '--file', file)).value).toMatchObject({ ok: false })
    await rm(file)
  })

  test('is told from a file that is no ledger', async () => {
    const file = join(room.folder, 'plumbline.yaml')
    const { code, stdout, stderr } = await run('ledger', 'verify', '--file', file)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`${file} is no export of a ledger: pass what \`plumbline ledger export\` wrote`)
  })

  test('is verified from a head on that was verified before, and kept in a file', async () => {
    const { entries, head } = (await json('ledger', 'verify')).value
    const whole = { ok: true, workspace: 'tea-room', entries, head }
    const file = join(room.folder, 'head.json')
    const withFile = () => json('ledger', 'verify', '--head-file', file)
    expect((await withFile()).value).toEqual(whole)
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ workspace: 'tea-room', entries, head })
    expect((await withFile()).value).toEqual({ ...whole, from: entries })
    expect((await json('ledger', 'verify', '--from', `${entries}:${head}`)).value).toEqual({ ...whole, from: entries })
    expect((await json('ledger', 'verify', '--from', `1:${head}`)).value).toMatchObject({ ok: false, seq: 1 })
    await writeFile(file, JSON.stringify({ workspace: 'tea-room', entries: 1, head }))
    expect([(await withFile()).code, JSON.parse(await readFile(file, 'utf8'))]).toMatchObject([1, { entries: 1 }])
    await writeFile(file, JSON.stringify({ workspace: 'other', entries, head }))
    expect((await withFile()).value.error).toMatchObject({ code: 'USAGE', message: expect.stringContaining('other') })
    await writeFile(file, 'no head')
    expect((await withFile()).value.error).toMatchObject({ code: 'USAGE', message: expect.stringContaining(file) })
    await rm(file)
    for (const other of [
      ['--file', 'x'],
      ['--head', `1:${head}`],
      ['--from', `1:${head}`],
    ])
      expect((await json('ledger', 'verify', '--head-file', file, ...other)).value.error.code).toBe('USAGE')
  })

  test('must still contain a head that was noted earlier, in the store too', async () => {
    const { entries, head } = (await json('ledger', 'verify')).value
    const at = async (seq: number, hash: string) => (await json('ledger', 'verify', '--head', `${seq}:${hash}`)).value
    expect(await at(entries, head)).toMatchObject({ ok: true, entries, head })
    const { items } = (await json('ledger', 'list', '--order', 'oldest', '--limit', '1')).value
    expect(await at(1, items[0].hash)).toMatchObject({ ok: true, entries, head })
    expect(await at(1, head)).toMatchObject({ ok: false, seq: 1 })
    // An older copy of the whole store has a whole chain, which ends too early.
    expect(await at(entries + 1, head)).toMatchObject({ ok: false, seq: entries + 1 })
  })

  test('is not compared with a head of entry 0, which all ledgers have', async () => {
    for (const head of ['0', '000'].map((seq) => `${seq}:sha256:${'0'.repeat(64)}`))
      for (const more of [[], ['--file', 'none.ndjson']]) {
        const { value, code } = await json('ledger', 'verify', '--head', head, ...more)
        expect([code, value.error.code]).toEqual([1, 'USAGE'])
        expect(value.error.message).toContain('is no entry')
      }
  })

  test('can be anchored, and verified with the anchors and the public key alone', async () => {
    const out = join(room.folder, 'anchors')
    const { value, code } = await json('ledger', 'anchor', '--out', out)
    expect(code).toBe(0)
    expect((await stat(join(room.folder, '.plumbline', 'anchor.key'))).mode & 0o777).toBe(0o600)
    const { seq, hash, at } = value.anchor
    const trust = ['--anchors', out, '--key', value.key]
    const live = (await json('ledger', 'verify', ...trust)).value
    expect(live).toMatchObject({
      ok: true,
      ledger: { ok: true },
      anchors: [{ status: 'holds' }],
      proven: { seq, hash, at },
    })
    const file = join(room.folder, 'export.ndjson')
    const lines = (await run('ledger', 'export')).stdout.split('\n').slice(0, -1)
    await writeFile(file, lines.slice(0, -2).join('\n'))
    const cut = await run('ledger', 'verify', '--file', file, ...trust)
    expect([cut.code, cut.stdout]).toEqual([1, expect.stringContaining(`BROKEN at entry ${seq}`)])
    expect((await run('ledger', 'verify', ...trust)).stdout).toContain(`proven: entries 1 to ${seq}`)
    await rm(file)
    await rm(out, { recursive: true })
  })

  test('exports the bytes that were hashed, also of characters that a terminal is not shown', async () => {
    const file = join(room.folder, 'odd.ndjson')
    await run('workspace', 'pause', 'tea-room', '--reason', 'turned \u202e around\u200b')
    await run('workspace', 'resume', 'tea-room', '--reason', 'back')
    await writeFile(file, (await run('ledger', 'export')).stdout)
    expect(await run('ledger', 'verify', '--file', file)).toMatchObject({ code: 0 })
    await rm(file)
  })

  test.each([
    [['verify', '--anchors', 'x'], /--anchors and --key belong together/],
    [['verify', '--anchors', 'nowhere', '--key', 'plumbline.yaml'], /--key plumbline.yaml is no public key/],
    [['anchor'], /--out <folder> is missing/],
  ])('refuses ledger %j with the reason', async (args, reason) => {
    const { code, value } = await json('ledger', ...args)
    expect([code, value.error.code, value.error.message]).toEqual([1, 'USAGE', expect.stringMatching(reason)])
  })

  test.each([
    ['ledger', 'list'],
    ['ledger', 'verify'],
    ['ledger', 'export'],
    ['runs'],
    ['show', '-w'],
    ['check'],
    ['apply', '--check'],
  ])('makes %s %s fail for an unknown workspace', async (...args) => {
    const { code, value } = await json(...args, 'nowhere')
    expect([code, value.error.code]).toEqual([1, 'WORKSPACE_NOT_FOUND'])
  })

  test.each([
    ['not YAML', 'workspace: tea-room\n  resources: [\n'],
    ['wrong', 'workspace: tea-room\nresources: 7\n'],
    ['empty', ''],
    ['no text', '\u0000'],
    ['gone', undefined],
  ])('is still reported although the configuration is %s', async (_, text) => {
    const file = join(room.folder, 'plumbline.yaml')
    const right = await readFile(file, 'utf8')
    if (text === undefined) await rm(file)
    else await writeFile(file, text)
    try {
      expect((await json('ledger', 'verify')).value).toMatchObject({ ok: true, workspace: 'tea-room' })
      expect((await json('ledger', 'list', '.')).value.items.length).toBeGreaterThan(4)
      expect((await run('ledger', 'export', 'tea-room')).stdout).toContain('"workspace":"tea-room"')
      expect((await json('runs')).value.items.length).toBeGreaterThan(1)
      expect((await json('show', '-w', '.')).value.plumbline.run).toMatchObject({ workspace: 'tea-room' })
    } finally {
      await writeFile(file, right)
    }
  })

  test('is in the list of runs, and the workspace in its list', async () => {
    const { value } = await json('runs', '--limit', '2')
    expect(value.items).toHaveLength(2)
    expect(value.next).toEqual(expect.any(String))
    const more = (await json('runs', '--after', value.next)).value
    expect(more.items[0].id < value.items[1].id).toBe(true)
    expect((await json('workspace', 'list')).value.items).toMatchObject([{ id: 'tea-room' }])
    expect((await run('runs')).stdout).toContain('in sync')
  })

  test.each([['runs'], ['ledger list'], ['workspace history'], ['workspace list']])(
    'is not listed by %s from a place that does not exist',
    async (words) => {
      const { code, stderr } = await run(...words.split(' '), '--after', 'No place!')
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('--after is "No place!", which is no place in this list'),
      ])
    },
  )

  test('is stored in files that only their owner can read', async () => {
    const { stdout } = await run('runs', '--json')
    expect(stdout).not.toBe('')
    await expect(chmod(join(room.folder, '.plumbline', 'seal.key'), 0o600)).resolves.toBeUndefined()
  })

  test('is handled by several commands at once, which wait for each other', async () => {
    const all = await Promise.all([run('runs'), run('runs'), run('ledger', 'verify')])
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0])
  })

  test('is coloured only where that is requested', async () => {
    const mark = String.fromCharCode(27)
    expect((await run('runs')).stdout).not.toContain(mark)
    expect((await run('runs', '--color')).stdout).toContain(mark)
  })
})
