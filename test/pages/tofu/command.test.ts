import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { View } from '../../../core/pages/tofu/view/plan-view.ts'
import { plainColorWords } from '../../../functions/cli/program.ts'
import { runCommand, startCommand, tearoom } from '../../builders/workspaces/command.ts'
import { entry, pageOf, planOf, schemasWith } from './builders/read-reports.ts'
import { viewOf } from './builders/read-views.ts'
import { renderView } from './builders/rendered.ts'

const thing = { address: 'thing.a', mode: 'managed', type: 'thing', name: 'a', provider_name: 'p' }
const plan = planOf([entry({ actions: ['update'], before: { v: { a: '1' } }, after: { v: { a: '2' } } })])
const schemas = schemasWith({ attributes: { v: { type: ['object', { a: 'string' }] } } })

let folder: string
const run = (...args: readonly string[]) => runCommand(['render', ...args], { folder })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-render-'))
  await writeFile(join(folder, 'plan.json'), JSON.stringify(plan))
  await writeFile(join(folder, 'schemas.json'), JSON.stringify(schemas))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('plumbline render', () => {
  test.each(['text', 'markdown', 'html', 'json', 'summary'] as const)(
    'prints only the page to standard output in the format %s',
    async (format) => {
      const view = viewOf(plan, { schemas })
      expect(await run('plan.json', '--schemas', 'schemas.json', '--format', format)).toEqual({
        code: 0,
        stdout: renderView(view, { format, title: 'plan.json', width: 78 }),
        stderr: '',
      })
    },
  )

  test('prints text without a format, and JSON with --json', async () => {
    const { stdout } = await run('plan.json', '--schemas', 'schemas.json', '--width', '50')
    expect(stdout).toBe(renderView(viewOf(plan, { schemas }), { format: 'text', title: 'plan.json', width: 50 }))
    const asJson = await run('plan.json', '--json', '--schemas', 'schemas.json')
    expect(JSON.parse(asJson.stdout)).toEqual(viewOf(plan, { schemas }))
  })

  test.each(['opentofu', 'terraform'] as const)('reads a document as %s writes it', async (compat) => {
    const ended = await run('plan.json', '--schemas', 'schemas.json', '--compat', compat)
    expect(ended).toEqual({ code: 0, stdout: pageOf(plan, { schemas, compat }), stderr: '' })
  })

  test.each<[string, object, string | undefined]>([
    ['opentofu', { deferred_changes: [{}, {}], action_invocations: [{}] }, '2 deferred changes and 1 invoked action'],
    ['opentofu@1.13', { deferred_action_invocations: [{}] }, '1 deferred action'],
    ['terraform', { deferred_changes: [], action_invocations: [] }, undefined],
    ['terraform', { deferred_action_invocations: [{}] }, '1 deferred action'],
  ])('says beside the page of %s what it leaves out: %j', async (compat, more, left) => {
    await writeFile(join(folder, 'more.json'), JSON.stringify({ ...plan, ...more }))
    const { stdout, stderr } = await run('more.json', '--schemas', 'schemas.json', '--compat', compat)
    expect(stdout).toContain('thing.a')
    if (left === undefined) expect(stderr).toBe('')
    else expect(stderr).toContain(`has ${left}, which the page of this product does not show`)
  })

  test('reads from standard input', async () => {
    const { child, ended } = await startCommand(['render', '--compat', 'opentofu', '--width', '40'], {
      folder,
      keepInput: true,
    })
    child.stdin?.end(JSON.stringify(plan))
    expect(await ended).toEqual({ code: 0, stdout: pageOf(plan, { width: 40 }), stderr: '' })
  })

  test('prints colours where they are requested', async () => {
    const { stdout } = await run('plan.json', '--schemas', 'schemas.json', '--compat', 'opentofu', '--color=always')
    expect(stdout).toBe(pageOf(plan, { schemas, color: true }))
    const summary = await run('plan.json', '--format', 'summary', '--color', 'always')
    expect(summary.stdout).toContain('\u001b[')
  })

  test('renders a state', async () => {
    const state = { format_version: '1.0', values: { root_module: { resources: [{ ...thing, values: { v: 1 } }] } } }
    await writeFile(join(folder, 'state.json'), JSON.stringify(state))
    expect((await run('state.json', '--compat', 'opentofu')).stdout).toBe(pageOf(state))
    expect((await run('state.json', '--format', 'summary')).stdout).toContain('thing.a')
  })

  test('prints a note beside the page for a later minor version', async () => {
    await writeFile(join(folder, 'later.json'), JSON.stringify({ ...plan, format_version: '1.9' }))
    const { code, stdout, stderr } = await run('later.json', '--format', 'json')
    expect([code, (JSON.parse(stdout) as View).newer]).toEqual([0, true])
    expect(stderr).toBe(
      'later.json was written in a newer version of the format; what that version added is not shown\n',
    )
  })

  test.each([
    [['nowhere.json'], 'nowhere.json cannot be read'],
    [['.'], 'cannot be read'],
    [['plan.json', '--mode', 'fast'], 'mode'],
    [['plan.json', '--width', 'wide'], 'width'],
    [['plan.json', '--format', 'pdf'], 'format'],
    [['-', '--schemas', '-'], 'both'],
    [['plan.json', '--compat', 'opentofu', '--format', 'html'], 'is text'],
    [['plan.json', '--compat', 'terraform', '--json'], 'is text'],
    [['plan.json', '--json', '--format', 'html'], 'two formats'],
    [['schemas.json'], 'schemas.json is neither a plan nor a state'],
    [['plan.json', '--schemas', 'broken.json'], 'broken.json is not JSON: ":" is missing (line 2, character 5)'],
  ])('refuses %j', async (args, why) => {
    await writeFile(join(folder, 'broken.json'), '{\n"a" 1}')
    const { code, stdout, stderr } = await run(...args)
    expect(code).toBe(1)
    expect(args.includes('--json') ? stdout : stderr).toContain(why)
    if (!args.includes('--json')) expect(stdout).toBe('')
  })
})

test('a plan of Plumbline is rendered in its own form and in that of OpenTofu', async () => {
  const room = await tearoom()
  const inRoom = (...args: readonly string[]) => runCommand(args, { folder: room.folder })
  await writeFile(join(room.folder, 'machine', 'motd'), 'Coffee only today.\n')
  await inRoom('check')
  await writeFile(join(room.folder, 'shown.json'), (await inRoom('show', '--format', 'json')).stdout)
  for (const style of [[], ['--compat', 'opentofu']]) {
    const { code, stdout } = await inRoom('render', 'shown.json', ...style)
    expect(code).toBe(0)
    expect(stdout).toContain('host_file.motd')
    expect(stdout).toMatch(/- .*Coffee only today\./)
    expect(stdout).toMatch(/\+ .*Welcome to the tea room\./)
  }
  await room.remove()
})

test.each([
  ['--color never x', '--no-color x'],
  ['--color always', '--color'],
  ['--color=auto x', 'x'],
  ['--color x', '--color x'],
  ['x --color', 'x --color'],
  ['-- --color never', '-- --color never'],
])('the option %s means %s', (given, plain) => {
  expect(plainColorWords(given.split(' '))).toEqual(plain.split(' '))
})
