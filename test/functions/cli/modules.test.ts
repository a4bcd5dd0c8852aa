import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from '../../builders/workspaces/command.ts'

/* examples/modules as its README describes it. */

let folder: string
const run = (...args: readonly string[]) => runCommand(args, { folder })
const plan = async (...args: readonly string[]) => {
  const { code, stdout } = await run('check', '--format', 'json', ...args)
  const { resource_changes: changes } = JSON.parse(stdout)
  return { code, changes: changes as readonly Record<string, unknown>[] }
}
const addresses = async (...args: readonly string[]) => (await plan(...args)).changes.map(({ address }) => address)
const apply = (...args: readonly string[]) => run('apply', '--yes', '--json', ...args)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-modules-'))
  await cp(new URL('../../../examples/modules', import.meta.url).pathname, folder, { recursive: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the plan shows every instance in the form of OpenTofu', async () => {
  const { code, changes } = await plan()
  expect(code).toBe(2)
  expect(changes.map(({ address }) => address).toSorted()).toEqual([
    'host_file.link["blog"]',
    'host_file.link["shop"]',
    'module.site["blog"].host_file.configuration',
    'module.site["blog"].host_file.health',
    'module.site["shop"].host_file.configuration',
    'module.site["shop"].host_file.health',
  ])
  expect(changes.find(({ address }) => address === 'host_file.link["blog"]')).toMatchObject({
    type: 'host_file',
    name: 'link',
    index: 'blog',
  })
  const inModule = changes.find(({ address }) => address === 'module.site["shop"].host_file.health')
  expect(inModule).toMatchObject({ module_address: 'module.site["shop"]', type: 'host_file', name: 'health' })
  expect(inModule).not.toHaveProperty('index')
})

test('one instance of the module can be applied alone, and then the others', async () => {
  const one = JSON.parse((await apply('--target', 'module.site["shop"]')).stdout)
  expect(one.outcomes.map(({ command }: { command: string }) => command)).toEqual([
    'module.site["shop"].host_file.configuration#1',
    'module.site["shop"].host_file.health#1',
  ])
  expect((await apply()).code).toBe(0)
  expect(await addresses()).toEqual([])
  expect(await readFile(join(folder, 'machine/index/shop.txt'), 'utf8')).toBe('shop: sites/shop.ini\n')
  expect(await readFile(join(folder, 'machine/sites/blog.ini'), 'utf8')).toBe(
    'name = blog\nport = 8001\nowner = web-team\n',
  )
})

test('another key adds three files and nothing else; another value changes what uses it', async () => {
  const file = join(folder, 'plumbline.yaml')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('{ blog:', '{ wiki: { port: 8003 }, blog:'))
  expect((await addresses()).toSorted()).toEqual([
    'host_file.link["wiki"]',
    'module.site["wiki"].host_file.configuration',
    'module.site["wiki"].host_file.health',
  ])
  await writeFile(file, text)
  expect((await addresses('--var', 'owner=ops')).toSorted()).toEqual([
    'module.site["blog"].host_file.configuration',
    'module.site["shop"].host_file.configuration',
  ])
})

test('a removed key deletes its instance, and a problem in the module shows the calls that lead there', async () => {
  const removed = await plan('--var', 'sites={ shop: { port: 8002 } }')
  expect(removed.changes.map(({ address, change }) => [address, (change as { actions: unknown }).actions])).toEqual(
    expect.arrayContaining([['module.site["blog"].host_file.configuration', ['delete']]]),
  )
  expect(removed.changes).toHaveLength(3)
  const { code, stderr } = await run('validate', '--var', 'sites={ shop: { port: 80 } }')
  expect(code).toBe(1)
  expect(stderr).toContain('the value of variable "port" is out of range (is: 80)')
  const file = join(folder, 'modules/site/module.yaml')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('${var.owner}', '${var.ownr}'))
  const broken = await run('validate')
  await writeFile(file, text)
  expect(broken.stderr).toContain('modules/site/module.yaml:12:')
  expect(broken.stderr).toContain('in module.site["blog"] at plumbline.yaml:17:5')
  expect(broken.stderr).toContain('1 problem in the configuration')
})

test('the record, the ledger and its export name the instances', async () => {
  const recorded = JSON.parse((await run('state', 'list', 'module.site["shop"]', '--json')).stdout)
  expect(recorded.resources).toHaveLength(2)
  const shown = JSON.parse((await run('state', 'show', 'host_file.link["shop"]', '--json')).stdout)
  expect(JSON.stringify(shown)).toContain('index/shop.txt')
  const ledger = await run('ledger', 'list', '--order', 'oldest', '--json')
  expect(ledger.stdout).toContain('module.site[\\"shop\\"].host_file.health')
  expect((await run('ledger', 'verify')).code).toBe(0)
})
