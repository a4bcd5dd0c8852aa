import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainColorWords } from '../../functions/cli/color-words.ts'
import { runCommand, startCommand } from '../builders/command.ts'
import { entry, pageOf, planOf, schemasWith } from '../builders/tofu.ts'

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
  test('the page is all that is on standard output', async () => {
    const ended = await run('plan.json', '--schemas', 'schemas.json', '--color', 'never')
    expect(ended).toEqual({ code: 0, stdout: pageOf(plan, { schemas }), stderr: '' })
  })

  test('from standard input', async () => {
    const { child, ended } = await startCommand(['render', '--width', '40'], { folder, keepInput: true })
    child.stdin?.end(JSON.stringify(plan))
    expect(await ended).toEqual({ code: 0, stdout: pageOf(plan, { width: 40 }), stderr: '' })
  })

  test('colours where they are asked for', async () => {
    const { stdout } = await run('plan.json', '--schemas', 'schemas.json', '--color=always')
    expect(stdout).toBe(pageOf(plan, { schemas, color: true }))
  })

  test('with --json the tree', async () => {
    const { stdout } = await run('plan.json', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'plan', changes: [{ address: 'thing.a' }] })
  })

  test.each([
    [['nowhere.json'], 'nowhere.json cannot be read'],
    [['plan.json', '--mode', 'fast'], 'mode'],
    [['plan.json', '--width', 'wide'], 'width'],
    [['-', '--schemas', '-'], 'both'],
  ])('%j is refused', async (args, why) => {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(why)
  })
})

test.each([
  ['--color never x', '--no-color x'],
  ['--color always', '--color'],
  ['--color=auto x', 'x'],
  ['--color x', '--color x'],
  ['x --color', 'x --color'],
  ['-- --color never', '-- --color never'],
])('%s means %s', (given, plain) => {
  expect(plainColorWords(given.split(' '))).toEqual(plain.split(' '))
})
