import { chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exitFor, type FailOn } from '../../../functions/cli/terminal/report-check.ts'
import { eachOf, long } from '../../builders/long.ts'
import { aChange, aPlan, object } from '../../builders/values/plans.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

let root: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-several-')))
  await mkdir(join(root, '.git'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

/** A workspace of its own, in sync with its files. */
const addWorkspace = async (folder: string, name: string): Promise<void> => {
  const path = join(root, folder)
  await cp('examples/host', path, { recursive: true })
  const entry = [`workspace: ${name}`, 'providers:', '  host: { source: host, with: { root: ./machine } }']
  const motd = ['resources:', '  - { type: host_file, name: motd, spec: { path: motd, content: "hello" } }']
  await writeFile(join(path, 'plumbline.yaml'), [...entry, ...motd, ''].join('\n'))
  await writeFile(join(path, 'machine', 'motd'), 'hello')
}

const run = (args: readonly string[], folder = root) => runCommand(args, { folder })
const idsIn = (text: string): readonly string[] => [...text.matchAll(/^([\w-]+): /gm)].map(([, id = '']) => id)

describe('the command check --all', () => {
  beforeEach(async () => {
    await addWorkspace('dns', 'dns')
    await addWorkspace('teams/mail', 'mail')
    await addWorkspace('node_modules/other', 'other')
    await addWorkspace('.hidden', 'hidden')
  })

  test(
    'checks each workspace below the folder, and all share one store at the root of the repository',
    long,
    async () => {
      const { code, stdout, stderr } = await run(['check', '--all'])
      expect([code, idsIn(stdout)]).toEqual([0, ['dns', 'mail']])
      expect(stderr).toContain('2 workspaces: 2 passed')
      expect(await readdir(root)).toContain('.plumbline')
      expect(await readdir(join(root, 'dns'))).not.toContain('.plumbline')
      expect(idsIn((await run(['check', '--all'], join(root, 'teams'))).stdout)).toEqual(['mail'])
    },
  )

  test('accepts folders and names instead, each of them once', long, async () => {
    await run(['check', '--all'])
    expect(idsIn((await run(['check', 'dns', 'mail', 'dns'])).stdout)).toEqual(['dns', 'mail'])
    expect(idsIn((await run(['check', '--all', 'teams', 'teams/mail'])).stdout)).toEqual(['mail'])
  })

  eachOf(
    test,
    1,
  )([
    ['invalid', 'workspace: x\nresources: 7\n', 'CONFIG', 'a-first/plumbline.yaml:2:'],
    ['of a name that another folder has', 'workspace: mail\nresources: []\n', 'WORKSPACE_CLAIMED', 'WORKSPACE_CLAIMED'],
  ])('checks the others where a configuration is %s, and does not succeed', async (_, text, says, place) => {
    await mkdir(join(root, 'a-first'))
    await run(['check', '--all'])
    await writeFile(join(root, 'a-first', 'plumbline.yaml'), text)
    const { code, stdout, stderr } = await run(['check', '--all'])
    expect([code, idsIn(stdout)]).toEqual([1, ['dns', 'mail']])
    expect(stderr).toContain(place)
    expect(stderr).toContain('3 workspaces: 1 failed, 2 passed')
    const json = JSON.parse((await run(['check', '--all', '--json'])).stdout)
    expect(json.checks.map(({ folder }: { readonly folder: string }) => folder)).toEqual([
      'a-first',
      'dns',
      'teams/mail',
    ])
    expect(JSON.stringify(json.checks[0])).toContain(says)
    expect(json.checks[1].complete).toBe(true)
  })

  /** The two rules of docs/ci.md. */
  const denied = (plan: {
    readonly complete?: boolean
    readonly resource_changes?: readonly {
      readonly address: string
      readonly change: { readonly actions: readonly string[] }
    }[]
  }): readonly string[] => [
    ...(plan.complete === true ? [] : ['the check is not complete']),
    ...(plan.resource_changes ?? []).flatMap(({ address, change }) =>
      change.actions.includes('delete') ? [`${address} would be deleted`] : [],
    ),
  ]

  test(
    'gives a policy one plan, with the workspace before each address, and is not complete if one failed',
    long,
    async () => {
      const answer = async () => JSON.parse((await run(['check', '--all', '--json'])).stdout)
      expect(await answer()).toMatchObject({ resource_changes: [], resource_drift: [], complete: true, errored: false })
      for (const name of ['dns', 'teams/mail']) {
        const file = join(root, name, 'plumbline.yaml')
        await writeFile(file, (await readFile(file, 'utf8')).replace('name: motd', 'name: motd, absent: true'))
      }
      const found = await answer()
      expect(denied(found)).toEqual(['dns/host_file.motd would be deleted', 'mail/host_file.motd would be deleted'])
      expect(found.format_version).toBe(found.checks[0].format_version)
      expect(found.checks[0].resource_changes[0].address).toBe('host_file.motd')
      await writeFile(join(root, 'dns', 'plumbline.yaml'), 'workspace: dns\nresources: 7\n')
      const broken = await answer()
      expect(broken.errored).toBe(true)
      expect(denied(broken)).toEqual(['the check is not complete', 'mail/host_file.motd would be deleted'])
      expect(denied(JSON.parse((await run(['check', 'dns', '--json'])).stdout))).toEqual(['the check is not complete'])
    },
  )

  test.skipIf(process.getuid?.() === 0)('fails where a folder cannot be opened', async () => {
    await mkdir(join(root, 'closed'))
    await chmod(join(root, 'closed'), 0)
    const { code, stderr } = await run(['check', '--all'])
    await chmod(join(root, 'closed'), 0o700)
    expect([code, stderr]).toEqual([1, expect.stringContaining('closed')])
  })

  test('exits with 2 for one drift, and names its place in the repository', long, async () => {
    await writeFile(join(root, 'teams', 'mail', 'machine', 'motd'), 'changed')
    const { code, stdout } = await run(['check', '--all', '--format', 'github'])
    expect(code).toBe(2)
    expect(stdout).toMatch(
      /^::warning file=teams\/mail\/plumbline\.yaml,line=5,col=\d+,title=mail%3A host_file\.motd::/m,
    )
    const inside = await run(['check', '--format', 'junit'], join(root, 'teams', 'mail'))
    expect([inside.code, inside.stdout]).toEqual([2, expect.stringContaining('file="teams/mail/plumbline.yaml"')])
    const shown = await run(['show', '--workspace', 'mail', '--format', 'junit'])
    expect(shown.stdout).toContain('file="teams/mail/plumbline.yaml"')
  })

  test('gives a pipeline one document, in which an invalid configuration is an error', async () => {
    await writeFile(join(root, 'dns', 'plumbline.yaml'), 'workspace: dns\nresources: 7\n')
    const { code, stdout } = await run(['check', 'dns', '--format', 'junit'])
    expect([code, stdout]).toEqual([1, expect.stringContaining('tests="1" failures="0" errors="1"')])
    expect(stdout).toContain('file="dns/plumbline.yaml" line="2"')
  })

  test.each([
    [['--all', '--format', 'html'], '--format html takes one workspace'],
    [['--all', 'nowhere'], 'nowhere'],
    [['dns', '--refresh-only', '--fail-on', 'drift'], 'leave out --fail-on'],
  ])('refuses %j', async (args, says) => {
    const { code, stderr } = await run(['check', ...args])
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)])
  })
})

test('list shows each folder with its last check, and names an unreadable one', long, async () => {
  await addWorkspace('dns', 'dns')
  await addWorkspace('teams/mail', 'mail')
  expect((await run(['list'])).stdout).toMatch(/^dns +dns +never checked\nteams\/mail +mail +never checked\n$/)
  await run(['check', 'dns'])
  await mkdir(join(root, 'zone'))
  await writeFile(join(root, 'zone', 'plumbline.yaml'), '[\n')
  const { code, stdout } = await run(['list', '..'], join(root, 'teams'))
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^\.\.\/dns +dns +in sync +checked .* 1 resource\nmail +mail +never checked\n\.\.\/zone +unreadable .*names no workspace/,
  )
  expect(await run(['list', 'nowhere'])).toMatchObject({ code: 1 })
})

eachOf(test, 1)(['text', 'markdown', 'html', 'json'])(
  'a check says in %s that the policy would refuse its commands, and offers nothing to paste',
  async (format) => {
    await addWorkspace('dns', 'dns')
    const file = join(root, 'dns', 'plumbline.yaml')
    await writeFile(file, `${await readFile(file, 'utf8')}policy: { allowGrades: [] }\n`)
    await writeFile(join(root, 'dns', 'machine', 'motd'), 'changed')
    const { code, stdout, stderr } = await run(['check', 'dns', '--format', format, '--out', 'plan.json'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('the policy refuses to apply it')])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('allowGrades has nothing')
    expect(stdout).not.toMatch(/--digest|"applyable":true/)
    const applied = await run(['apply', 'plan.json'])
    expect([applied.code, applied.stdout]).toEqual([1, expect.stringContaining('POLICY_REFUSED')])
    const now = await run(['apply', 'dns', '--yes'])
    expect([now.code, now.stdout]).toEqual([1, ''])
    expect(now.stderr).toContain('allowGrades has nothing')
  },
)

test('a check that undoes a rollback says so', long, async () => {
  await addWorkspace('dns', 'dns')
  await run(['check', 'dns'])
  const file = join(root, 'dns', 'plumbline.yaml')
  await writeFile(file, `${await readFile(file, 'utf8')}# later\n`)
  expect((await run(['check', 'dns'])).stderr).not.toContain('rollback')
  await run(['workspace', 'rollback', '1', '-w', 'dns', '--reason', 'test'])
  expect((await run(['check', 'dns'])).stderr.replaceAll(/\s+/g, ' ')).toContain(
    `dns: version 4 is what ${join(root, 'dns')} contains; it undoes version 3, the rollback to version 1`,
  )
  expect((await run(['check', 'dns'])).stderr).not.toContain('rollback')
})

test('list gives no folder a result that a check of it would refuse', long, async () => {
  await addWorkspace('dns', 'dns')
  await addWorkspace('mail', 'mail')
  await addWorkspace('zone', 'zone')
  await run(['check', '--all'])
  await cp(join(root, 'dns'), join(root, 'dns-copy'), { recursive: true })
  await writeFile(join(root, 'mail', 'plumbline.yaml'), 'workspace: mail\nresources: 7\nschedule: 8\n')
  await mkdir(join(root, 'new'))
  await writeFile(join(root, 'new', 'plumbline.yaml'), 'workspace: new\nresources: 7\n')
  // A moved folder would be taken over by a check.
  await rename(join(root, 'zone'), join(root, 'zone-moved'))
  const { code, stdout } = await run(['list'])
  expect([code, stdout.split('\n')]).toEqual([
    1,
    [
      expect.stringMatching(/^dns +dns +in sync +checked /),
      expect.stringMatching(/^dns-copy +dns +claimed .*belongs to .*dns \(/),
      expect.stringMatching(/^mail +mail +invalid +mail\/plumbline\.yaml:2:.*\(and 1 more\)$/),
      expect.stringMatching(/^new +new +invalid +new\/plumbline\.yaml:2:/),
      expect.stringMatching(/^zone-moved +zone +in sync +checked /),
      '',
    ],
  ])
})

/** What `--fail-on` means, said without the code: a change counts unless the other kind explains all of it. */
test('--fail-on ignores exactly the changes of the other kind', () =>
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.constantFrom('drift', 'pending', 'conflict', 'new'), { maxLength: 3 }), { maxLength: 3 }),
      fc.boolean(),
      fc.constantFrom<FailOn>('any', 'drift', 'pending'),
      (kinds, isOrphaned, on) => {
        const changes = kinds.map((causes, n) =>
          aChange({
            address: `a_b.c${n}`,
            action: 'update',
            diff: object({}),
            causes: causes.map((cause) => ({ path: ['x'], cause })),
          }),
        )
        const orphans = isOrphaned ? [{ address: 'a_b.d', fate: 'report', by: 'workspace' } as const] : []
        const other = on === 'drift' ? 'pending' : 'drift'
        const fails =
          on === 'any' ||
          kinds.some((causes) => causes.length === 0 || !causes.every((cause) => cause === other)) ||
          (on === 'pending' && isOrphaned)
        const plan = aPlan({ changes, orphans })
        expect(exitFor(2, on, plan)).toBe(fails ? 2 : 0)
        for (const exit of [0, 1, 3] as const) expect(exitFor(exit, on, plan)).toBe(exit)
        expect(exitFor(2, on, undefined)).toBe(2)
      },
    ),
  ))

test(
  '--json has the plan where policies look for it, and a failed check never looks like an empty plan',
  long,
  async () => {
    await addWorkspace('dns', 'dns')
    await writeFile(join(root, 'dns', 'machine', 'motd'), 'changed')
    const { stdout } = await run(['check', 'dns', '--json'])
    const value = JSON.parse(stdout)
    expect(value).toMatchObject({
      format_version: '1.2',
      resource_changes: [{ address: 'host_file.motd', change: { actions: ['update'] } }],
      plumbline: { run: { workspace: 'dns', status: 'changes' }, inSync: false },
    })
    const { run: _, ...own } = value.plumbline
    const formatted = JSON.parse((await run(['show', '--workspace', 'dns', '--format', 'json'])).stdout)
    expect({ ...value, plumbline: own }).toEqual(formatted)
  },
)
