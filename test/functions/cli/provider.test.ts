import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { things } from '../../builders/generated/openapi.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

let folder: string
let server: Server
let address: string
const run = (...args: readonly string[]) => runCommand(args, { folder })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-provider-'))
  await writeFile(join(folder, 'api.json'), JSON.stringify(things))
  server = createServer((request, response) => {
    if (request.url !== '/api.json') response.writeHead(404)
    response.end(JSON.stringify(things))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

describe('the command provider init', () => {
  test('writes a document that check finds sound, also from elsewhere', async () => {
    const { code, stdout, stderr } = await run('provider', 'init', 'api.json', '--out', 'things.yaml')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/written {2}things.yaml {2}things_thing; \d+ to decide/)
    expect(await readFile(join(folder, 'things.yaml'), 'utf8')).toContain('openapi: "./api.json"')
    const checked = await runCommand(['provider', 'check', join(folder, 'things.yaml')], { folder: tmpdir() })
    expect([checked.code, checked.stderr]).toEqual([0, ''])
    expect(checked.stdout).toMatch(/^valid .*1 type, compared with .*api.json\n$/)
  })

  test('overwrites no file', async () => {
    await writeFile(join(folder, 'there.yaml'), 'mine')
    const { code, stderr } = await run('provider', 'init', 'api.json', '--out', 'there.yaml')
    expect(code).toBe(1)
    expect(stderr).toContain('exists already')
    expect(await readFile(join(folder, 'there.yaml'), 'utf8')).toBe('mine')
  })

  test('reads an address, and writes to standard output', async () => {
    const { code, stdout } = await run('provider', 'init', `${address}/api.json`, '--resource', 'things')
    expect(code).toBe(0)
    expect(stdout).toContain(`openapi: "${address}/api.json"`)
    expect(stdout).toContain('things_thing:')
  })

  test('answers JSON', async () => {
    const { code, stdout, stderr } = await run('provider', 'init', 'api.json', '--json')
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      types: [{ type: 'things_thing', path: '/things' }],
      leftOut: [],
      notes: [],
    })
  })

  test('names what was left out, and why', async () => {
    const more = { ...things, paths: { ...(things['paths'] as object), '/reports/{id}': { get: {} } } }
    await writeFile(join(folder, 'more.json'), JSON.stringify(more))
    const { code, stderr } = await run('provider', 'init', 'more.json')
    expect(code).toBe(0)
    expect(stderr).toBe('left out, no operation creates it:\n  /reports/{id}\n')
  })

  test.each([
    ['a resource that is not there', ['api.json', '--resource', 'cats'], 'there are: things_thing'],
    ['a file that is not there', ['none.json'], 'cannot be read'],
    ['what is no description', ['things.txt'], 'neither JSON nor YAML'],
    ['an address that answers nothing', ['ADDRESS/other'], 'status 404'],
    ['an address with credentials', ['http://me:secret-word@127.0.0.1/x'], 'without credentials'],
    ['a description of nothing', ['empty.json'], 'can be managed'],
  ])('refuses %s', async (_, args, message) => {
    await writeFile(join(folder, 'things.txt'), '{ a: [')
    await writeFile(join(folder, 'empty.json'), '{"openapi":"3.0.0","paths":{}}')
    const { code, stdout, stderr } = await run(
      'provider',
      'init',
      ...args.map((arg) => arg.replace('ADDRESS', address)),
    )
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('secret-word')
  })
})

describe('the command provider check', () => {
  const example = new URL('../../../examples/powerdns/powerdns.provider.yaml', import.meta.url).pathname

  test('accepts a document alone', async () => {
    const { code, stdout } = await run('provider', 'check', example)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^valid .*compared with no description/)
  })

  test('reports every error at its place, and exits with 1', async () => {
    const text = (await readFile(example, 'utf8'))
      .replace('method: PATCH', 'method: PATSCH')
      .replace('encodePath', 'x')
      .replace('timeoutMs:', 'timeoutMS:')
    await writeFile(join(folder, 'wrong.yaml'), text)
    const { code, stdout } = await run('provider', 'check', 'wrong.yaml', '--json')
    expect(code).toBe(1)
    const { findings } = JSON.parse(stdout)
    expect(findings.length).toBeGreaterThanOrEqual(2)
    expect(findings[0]).toMatchObject({
      severity: 'error',
      file: 'wrong.yaml',
      line: expect.any(Number),
      fix: expect.any(String),
    })
  })

  test('reports a difference with both places, and exits with 2', async () => {
    const { stdout: made } = await run('provider', 'init', 'api.json')
    await writeFile(
      join(folder, 'other.yaml'),
      made.replace('name: { required: true }', 'name: { required: true }\n          shape: {}'),
    )
    const { code, stdout } = await run('provider', 'check', 'other.yaml', '--against', `${address}/api.json`)
    expect(code).toBe(2)
    expect(stdout).toMatch(
      /other.yaml:\d+:\d+: warning: the response of retrieve \(GET \/things\/\{thingId\}\) has no "shape" \[notRead\]\n {2}fix: .*\n {2}described at \/components\/schemas\/Thing\n/,
    )
    expect(stdout).toContain('3 warnings')
  })

  test('reports what cannot be compared, and exits with 3', async () => {
    const { stdout: made } = await run('provider', 'init', 'api.json')
    const bare = JSON.stringify(things).replaceAll('"schema":{"$ref":"#/components/schemas/Thing"}', '"other":1')
    await writeFile(join(folder, 'bare.json'), bare)
    await writeFile(join(folder, 'again.yaml'), made)
    const { code, stdout } = await run('provider', 'check', 'again.yaml', '--against', 'bare.json')
    expect(code).toBe(3)
    expect(stdout).toContain(
      'not compared: the description has no response schema for retrieve (GET /things/{thingId})',
    )
  })
})
