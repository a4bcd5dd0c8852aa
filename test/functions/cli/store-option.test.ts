import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { localClient } from '../../../functions/adapters/dynamodb/local-client.ts'
import { ensureTable } from '../../../functions/adapters/dynamodb/table.ts'
import { eachOf, long } from '../../builders/long.ts'
import { type DynamodbEngine, startDynamodb } from '../../builders/time/dynamodb-engine.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

let root: string
let folder: string
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-store-option-')))
  folder = join(root, 'repository')
  await cp('examples/host', folder, { recursive: true })
  await mkdir(join(root, 'kept'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const run = (args: readonly string[], variables: Record<string, string> = {}) =>
  runCommand(args, { folder, variables: { ...variables, TMPDIR: root } })
const kept = async (where: string): Promise<boolean> => (await readdir(join(root, where))).includes('.plumbline')

test('a store in memory leaves nothing, here or in the folder of temporary files', async () => {
  const { code, stdout } = await run(['check', '--store', 'memory'])
  expect([code, stdout]).toEqual([0, expect.stringContaining('in sync')])
  expect(await kept('repository')).toBe(false)
  expect((await readdir(root)).toSorted()).toEqual(['kept', 'repository'])
})

describe('a check that keeps nothing', () => {
  beforeEach(() => writeFile(join(folder, 'machine', 'etc', 'app.ini'), 'changed'))

  eachOf(test, 4)(['text', 'markdown', 'html', 'json', 'junit', 'github', 'sarif'])(
    'shows the changes in %s without a digest or a command to paste',
    async (format) => {
      const { code, stdout } = await run(['check', '--store', 'memory', '--format', format])
      expect([code, stdout]).toEqual([2, expect.stringContaining('host_file.app')])
      expect(stdout).not.toMatch(/--digest|plumbline (apply|show)|"commands":"sha256|"applyable":true/)
    },
  )

  test('has no digest of commands in its answer for scripts either', async () => {
    const { plumbline } = JSON.parse((await run(['check', '--store', 'memory', '--json'])).stdout)
    expect([plumbline.digests, plumbline.run]).toEqual([
      expect.not.objectContaining({ commands: expect.anything() }),
      expect.not.objectContaining({ digests: expect.anything() }),
    ])
  })

  test.each([
    [['check', '--out', 'plan.json'], '--out'],
    [['check', '--refresh-only'], '--refresh-only'],
    [['check', '--no-refresh'], '--no-refresh'],
    [['apply', '--yes'], 'apply'],
    [['workspace', 'push'], 'workspace push'],
    [['preview', '--branch', 'tea'], 'preview'],
  ])('%j is refused, because it needs what was kept', async (words, what) => {
    const { code, stdout, stderr } = await run([...words, '--store', 'memory'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`--store memory keeps nothing, and ${what} needs a store that stays`)
    expect(await readdir(folder)).not.toContain('plan.json')
    expect(await readFile(join(folder, 'machine', 'etc', 'app.ini'), 'utf8')).toBe('changed')
  })
})

test.each([
  ['the option', ['--store', '../kept'], {}],
  ['the variable', [], { PLUMBLINE_STORE: '../kept' }],
])('a folder named by %s stores everything for the commands that name it', async (_, words, variables) => {
  await writeFile(join(folder, 'files', 'planted'), '')
  expect(await run(['check', ...words], variables)).toMatchObject({ code: 0 })
  expect([await kept('repository'), await kept('kept')]).toEqual([false, true])
  expect((await run(['workspace', 'list', ...words], variables)).stdout).toContain('tea-room')
  expect((await run(['workspace', 'list'])).stderr).toContain('CONFIG_NOT_FOUND')
})

test('printed commands name the folder of the store too', long, async () => {
  const [file] = await readdir(join(folder, 'machine', 'etc'))
  await writeFile(join(folder, 'machine', 'etc', file ?? ''), 'changed')
  const { stdout } = await run(['check', '--store', '../kept'])
  const [, words = ''] = /^ {2}plumbline (.* --digest .*)$/m.exec(stdout) ?? []
  expect((await run([...words.split(' '), '--reason', 'test'])).code).toBe(0)
  expect((await run(['check', '--store', '../kept'])).stdout).toContain('in sync')
})

test('a plan is told to be of another store, where the store has another history or none', long, async () => {
  const plan = ['apply', 'plan.json', '--store', '../kept']
  expect((await run(['check', '--out', 'plan.json'])).code).toBe(0)
  const says = expect.stringMatching(/plan\.json: .*the plan is of another store[\s\S]*--store/)
  expect(await run(plan)).toMatchObject({ code: 1, stderr: says })
  await run(['check', '--store', '../kept'])
  expect(await run(plan)).toMatchObject({ code: 1, stderr: says })
  expect((await run(['apply', 'plan.json'])).stderr).not.toContain('another store')
})

test.each([
  [['check', '--store', 'nowhere'], 'there is no such folder'],
  [['check', '--store', 'memory', '--endpoint', 'https://plumbline.example'], 'remove one'],
])('%j is refused as a store', async (args, says) => {
  const { code, stderr } = await run(args)
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)])
})

describe('a table as a store', () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  let engine: DynamodbEngine
  let variables: Record<string, string>
  beforeAll(async () => {
    engine = await startDynamodb(process.env['AWS_ENDPOINT_URL_DYNAMODB'])
    await ensureTable(localClient(engine.endpoint), 'acme-plumbline')
    variables = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint, PLUMBLINE_SEAL_KEY: key, PLUMBLINE_ORIGIN: 'acme' }
  })
  afterAll(() => engine.stop())

  test('serves several machines: one plans, another one applies, and no file is left on either', long, async () => {
    const other = join(root, 'other')
    // One target, wherever the files of the configuration are.
    const entry = await readFile(join(folder, 'plumbline.yaml'), 'utf8')
    await writeFile(join(folder, 'plumbline.yaml'), entry.replace('root: ./machine', `root: ${join(root, 'kept')}`))
    await cp(folder, other, { recursive: true })
    const store = ['--store', 'dynamodb:acme-plumbline']
    expect((await run(['check', ...store, '--out', 'plan.json'], variables)).code).toBe(2)
    await cp(join(folder, 'plan.json'), join(other, 'plan.json'))
    const there = {
      folder: other,
      variables: { ...variables, TMPDIR: root, PLUMBLINE_STORE: 'dynamodb:acme-plumbline' },
    }
    const applied = await runCommand(['apply', 'plan.json', '--reason', 'test'], there)
    expect([applied.code, applied.stderr]).toEqual([0, expect.anything()])
    expect((await run(['ledger', 'list', 'tea-room', ...store], variables)).stdout).toContain('host_file.motd')
    expect((await readdir(root)).toSorted()).toEqual(['kept', 'other', 'repository'])
    expect([await kept('repository'), await kept('other')]).toEqual([false, false])
  })

  test.each([
    ['without a key', 'dynamodb:acme-plumbline', { PLUMBLINE_SEAL_KEY: '' }, 'openssl rand -base64 32'],
    [
      'with a key that is none',
      'dynamodb:acme-plumbline',
      { PLUMBLINE_SEAL_KEY: 'c2hvcnQ=' },
      'not 32 bytes in Base64',
    ],
    ['that does not exist', 'dynamodb:nowhere', {}, 'there is no table nowhere'],
    ['without a name', 'dynamodb:', {}, '"" is not the name of a table'],
  ])('is refused as %s', async (_, store, changed, says) => {
    const { code, stdout, stderr } = await run(['check', '--store', store], { ...variables, ...changed })
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)])
    expect(`${stdout}${stderr}`).not.toMatch(/c2hvcnQ=|BwcHBw/)
  })
})
