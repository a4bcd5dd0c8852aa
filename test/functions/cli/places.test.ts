import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eachOf, long } from '../../builders/long.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-places-')))
  await mkdir(join(root, '.git'))
  for (const folder of ['teams/a', 'teams/b', 'zone']) await addWorkspace(folder)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const nameOf = (folder: string): string => `ws-${folder.replace('/', '-')}`

/** Its file does not exist yet. */
const addWorkspace = async (folder: string): Promise<void> => {
  await mkdir(join(root, folder, 'machine'), { recursive: true })
  const lines = [
    `workspace: ${nameOf(folder)}`,
    'providers: { host: { source: host, with: { root: ./machine } } }',
    'resources:',
    '  - { type: host_file, name: motd, spec: { path: motd, content: hello } }',
  ]
  await writeFile(join(root, folder, 'plumbline.yaml'), lines.join('\n'))
}

const run = (...args: readonly string[]) => runCommand(args, { folder: root })
const motdIn = (folder: string) => readFile(join(root, folder, 'machine', 'motd'), 'utf8').catch(() => undefined)
const breakZone = () => writeFile(join(root, 'zone', 'plumbline.yaml'), 'workspace: ws-zone\nresources: 7\n')

eachOf(
  test,
  1,
)([
  [
    ['teams/a', 'zone'],
    ['ws-teams-a', 'ws-zone'],
  ],
  [['teams/*'], ['ws-teams-a', 'ws-teams-b']],
  [['ws-*'], ['ws-teams-a', 'ws-teams-b', 'ws-zone']],
  [
    ['*-a', 'teams/*', 'zone'],
    ['ws-teams-a', 'ws-teams-b', 'ws-zone'],
  ],
  [
    ['ws-zone', 'teams/b'],
    ['ws-zone', 'ws-teams-b'],
  ],
  [['--all'], ['ws-teams-a', 'ws-teams-b', 'ws-zone']],
  [
    ['--all', 'teams'],
    ['ws-teams-a', 'ws-teams-b'],
  ],
])('workspace push %j stores each workspace once', async (args, names) => {
  const { code, stdout, stderr } = await run('workspace', 'push', ...args)
  expect([code, [...stdout.matchAll(/stored +([\w-]+)/g)].map(([, name]) => name)]).toEqual([0, names])
  expect(stderr).toContain(`${names.length} workspaces: ${names.length} stored\n  stored: ${names.join(', ')}`)
})

test('one failure stops no other workspace, and the summary names each', async () => {
  await breakZone()
  const { code, stdout, stderr } = await run('workspace', 'push', 'zone', 'teams/*')
  expect([code, stdout.match(/^stored/gm)?.length]).toEqual([1, 2])
  expect(stderr).toContain('ws-zone: it failed\n')
  expect(stderr).toContain('2 stored\n  not stored: ws-zone\n  stored: ws-teams-a, ws-teams-b')
})

test('with --json several workspaces have one answer', async () => {
  await breakZone()
  const { results } = JSON.parse((await run('workspace', 'push', '--all', '--json')).stdout)
  expect(results).toMatchObject([
    { workspace: 'ws-teams-a', exit: 0, answer: { id: 'ws-teams-a' } },
    { workspace: 'ws-teams-b', exit: 0, answer: { id: 'ws-teams-b' } },
    { workspace: 'ws-zone', exit: 1, error: { code: 'CONFIG_INVALID' } },
  ])
  expect(JSON.parse((await run('workspace', 'push', 'teams/a', '--json')).stdout)).toMatchObject({ id: 'ws-teams-a' })
})

test('patterns find workspaces of the store that have no folder here', async () => {
  await run('check', 'zone')
  const { stdout } = await runCommand(['ledger', 'verify', 'ws-z*'], { folder: join(root, 'teams') })
  expect(stdout).toContain('of ws-zone')
})

describe('plans of several workspaces', () => {
  const plans = ['ws-teams-a.plan.json', 'ws-teams-b.plan.json', 'ws-zone.plan.json']
  const saved = () => run('check', '--all', '--out', 'plans')

  test('are written into a folder, and applied from there: each as it was approved', long, async () => {
    const { stderr } = await saved()
    expect(stderr).toContain('3 plans are in plans; `plumbline apply plans` sends exactly these commands')
    expect(await readdir(join(root, 'plans'))).toEqual(plans)
    await writeFile(join(root, 'teams/b/machine/motd'), 'of a colleague')
    const applied = await run('apply', 'plans')
    expect(applied.code).toBe(2)
    expect(applied.stdout).toContain('SAVED_PLAN_STALE')
    expect(applied.stderr).toContain('  in sync: ws-teams-a, ws-zone')
    expect(await Promise.all(['teams/a', 'teams/b', 'zone'].map(motdIn))).toEqual(['hello', 'of a colleague', 'hello'])
    const { code, stdout } = await run('ledger', 'verify', '--all')
    expect([code, stdout.match(/^intact/gm)?.length]).toEqual([0, 3])
  })

  test('do not mix with those of an earlier check', long, async () => {
    await saved()
    const { code, stderr } = await saved()
    expect([code, stderr]).toEqual([1, expect.stringContaining('plans has plans of an earlier check')])
  })

  test('without commands are applied too: there is nothing to do', long, async () => {
    await run('apply', '--all', '--yes')
    expect((await saved()).code).toBe(0)
    const { code, stderr } = await run('apply', 'plans')
    expect([code, stderr]).toEqual([0, expect.stringContaining('3 workspaces: 3 in sync')])
  })

  test('are shown one by one, and not from a store that does not know them', long, async () => {
    await saved()
    const shown = await run('show', join('plans', 'ws-zone.plan.json'))
    expect([shown.code, shown.stdout]).toEqual([2, expect.stringContaining('host_file.motd  will be created')])
    expect((await run('show', 'zone')).stdout).toBe(shown.stdout)
    expect((await run('show', 'ws-zone')).stdout).toBe(shown.stdout)
    await rm(join(root, '.plumbline'), { recursive: true })
    const lost = await run('show', join('plans', 'ws-zone.plan.json'))
    expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('PLAN_OF_OTHER_STORE')])
  })
})

test.each([
  [['apply', 'teams/*', '--digest', `sha256:${'0'.repeat(64)}`], '--digest belongs to one workspace, and 2 are named'],
  [['apply', '--all', '--target', 'host_file.motd'], '--target belongs to one workspace'],
  [['ledger', 'verify', '--all', '--head-file', 'head.json'], '--head-file belongs to one ledger'],
  [['check', 'none-*'], 'no folder below'],
  [['workspace', 'push', 'nowhere'], 'no configuration at'],
  [['show', 'zone', '--workspace', 'zone'], 'is not the id of a run'],
])('refuses %j', async (args, says) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)])
  expect(await motdIn('zone')).toBeUndefined()
})
