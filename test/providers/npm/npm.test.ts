import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlannedChange, ProviderInput, ResourceType } from '../../../core/engine/provider/provider.ts'
import { providers } from '../../../core/providers/index.ts'
import { providersWith } from '../../../core/providers/with-packages.ts'
import { describeProvider, type ProviderCase } from '../../../core/tools/conformance/index.ts'
import { installedPackages, providersHere } from '../../../functions/adapters/packages/installed.ts'
import { createTransport } from '../../../functions/adapters/transport/index.ts'
import { eachOf, long } from '../../builders/long.ts'
import { startAcme } from '../../builders/servers/acme-apps.ts'
import { anAnswer, aTransport } from '../../builders/values/transports.ts'
import { acmeCase, acmeToken } from '../../builders/workspaces/acme-case.ts'
import { runCommand } from '../../builders/workspaces/command.ts'
import { temporaryFolder } from '../../builders/workspaces/workspace.ts'

const example = join(import.meta.dirname, '../../../examples/acme-provider')
const project = temporaryFolder()
const installed = join(project.path, 'node_modules/@acme/plumbline-provider')

/** As npm installs it. */
const install = (change: (code: string) => string = (code) => code): void => {
  mkdirSync(installed, { recursive: true })
  cpSync(join(example, 'package.json'), join(installed, 'package.json'))
  writeFileSync(join(installed, 'provider.mjs'), change(readFileSync(join(example, 'provider.mjs'), 'utf8')))
}
beforeAll(() => install())
afterAll(() => project.remove())

const name = '@acme/plumbline-provider'
const found = () => {
  const one = installedPackages(name).find({ name, version: '1.0.0', folder: project.path })
  return one.kind === 'found' ? one : expect.unreachable(one.kind)
}

const inputOf = (rest: Partial<ProviderInput> = {}): ProviderInput => ({
  alias: 'acme',
  source: `npm:${name}@1.0.0`,
  integrity: found().integrity,
  baseUrls: ['https://api.acme.example/v1'],
  with: { baseUrl: 'https://api.acme.example/v1', token: { $secret: 'env:ACME_TOKEN' } },
  position: { file: 'plumbline.yaml', line: 1, column: 1 },
  files: { get: () => undefined, refusal: () => expect.unreachable() },
  folder: project.path,
  ...rest,
})

const configure = (rest: Partial<ProviderInput> = {}, allowed = name) =>
  (providersWith(installedPackages(allowed))['npm'] ?? expect.unreachable()).configure(inputOf(rest))

const typeOf = (rest: Partial<ProviderInput> = {}): ResourceType => {
  const configured = configure(rest)
  return configured.ok
    ? (configured.provider.types['acme_app'] ?? expect.unreachable())
    : expect.unreachable(JSON.stringify(configured.issues))
}

describe('a provider package', () => {
  it.each<[string, Partial<ProviderInput>, string, string?]>([
    ['no version', { source: `npm:${name}` }, 'names no package with an exact version'],
    ['a range', { source: `npm:${name}@^1.0.0` }, 'names no package with an exact version'],
    ['a path', { source: 'npm:../x@1.0.0' }, 'names no package with an exact version'],
    ['a path in the scope', { source: 'npm:@../x@1.0.0' }, 'names no package with an exact version'],
    ['not allowed', {}, 'is not allowed on this machine', ''],
    ['another one allowed', {}, 'is not allowed on this machine', '@acme/plumbline'],
    ['everything', {}, 'is not allowed on this machine', '*'],
    ['not installed', { source: 'npm:@acme/other@1.0.0' }, 'is not installed', '@acme/*'],
    ['another version', { source: `npm:${name}@1.0.1` }, 'another version of the package is installed, 1.0.0'],
    ['another integrity', { integrity: `sha512-${'A'.repeat(86)}==` }, 'is not the one that was reviewed'],
    ['no base URL', { baseUrls: [] }, 'has no valid "baseUrls"'],
    ['a base URL of files', { baseUrls: ['file:///etc/'] }, 'has no valid "baseUrls"'],
    ['a base URL with an empty query', { baseUrls: ['https://api.acme.example/?'] }, 'has no valid "baseUrls"'],
    ['a base URL with a password', { baseUrls: ['https://a:b@api.acme.example/'] }, 'has no valid "baseUrls"'],
  ])('%s is refused', (_, rest, words, allowed = name) => {
    const configured = configure(rest, allowed)
    expect(configured.ok ? '' : configured.issues[0]?.message).toContain(words)
  })

  it('has its objects where its base URLs lead, and where it says itself', long, () => {
    const homeOf = (rest: Partial<ProviderInput>): string | undefined => {
      const configured = configure(rest)
      return configured.ok ? configured.provider.home : expect.unreachable()
    }
    expect(homeOf({})).toBe('https://api.acme.example/v1/')
    install((code) => code.replace('provider: {', "provider: { home: 'org ' + 7,"))
    expect(homeOf({})).toBe('https://api.acme.example/v1/ org 7')
    install()
  })

  it('names its actual integrity where none is given', () => {
    const { integrity: _, ...input } = inputOf()
    const configured = (providersWith(installedPackages('@acme/*'))['npm'] ?? expect.unreachable()).configure(input)
    expect(configured).toMatchObject({ ok: false, issues: [{ fix: expect.stringContaining(found().integrity) }] })
  })

  it('is refused where there are no packages, and for a workspace without a folder', async () => {
    const { folder: _, ...stored } = inputOf()
    for (const [registry, input, words] of [
      [providers, inputOf(), `the package ${name}@1.0.0 is not bundled with the functions of this deployment`],
      [await providersHere({ PLUMBLINE_PROVIDERS: name })(), stored, 'the workspace has no folder on this machine'],
    ] as const) {
      const configured = (registry['npm'] ?? expect.unreachable()).configure(input)
      expect(configured.ok ? '' : configured.issues[0]?.message).toContain(words)
    }
  })

  it('is refused after a file was changed', () => {
    const { integrity } = found()
    install((code) => `${code}\n`)
    const configured = configure({ integrity })
    install()
    expect(configured.ok ? '' : configured.issues[0]?.message).toContain('is not the one that was reviewed')
  })

  it('shares one thread for equal entries, and has separate ones for others', long, () => {
    const [factory, opened] = [providersWith(installedPackages(name))['npm'] ?? expect.unreachable(), inputOf()]
    const first = factory.configure(opened)
    expect(factory.configure(structuredClone({ ...opened, files: undefined }) as unknown as ProviderInput)).toBe(first)
    expect(factory.configure({ ...opened, alias: 'other' })).not.toBe(first)
  })

  const change: PlannedChange = {
    address: 'acme_app.main',
    action: 'delete',
    desired: { name: 'x' },
    before: { name: 'x' },
    after: null,
    diff: { kind: 'value', action: 'delete' },
    changed: [[]],
    seal: () => 'never seen',
    objects: { main: { password: 'never seen' } },
  }

  it('reaches its base URLs and nothing else, in sent and in planned requests', long, async () => {
    const target = { address: 'acme_app.main', attributes: { name: 'x' } }
    const transport = aTransport(anAnswer(404))
    expect(await typeOf().read(target, { transport })).toEqual({ kind: 'absent' })
    for (const url of [
      'https://evil.example/v1',
      'https://api.acme.example',
      'https://api.acme.example/v1evil',
      'https://api.acme.example/v1/../v2',
      'https://api.acme.example/v1/%2e%2e/v2',
      'https://api.acme.example/v1/..%2fv2',
      'https://api.acme.example@evil.example/v1',
      'http://api.acme.example/v1',
      'file:///etc/passwd',
      'exec:///git',
    ]) {
      const type = typeOf({ with: { baseUrl: url } })
      await expect(type.read(target, { transport }), url).rejects.toMatchObject({ code: 'URL_REFUSED' })
      expect(() => type.commands(change), url).toThrow('is outside of "baseUrls"')
    }
    expect(transport.sent).toHaveLength(1)
  })

  eachOf(
    it,
    1,
  )([
    ['a socket', '{ ...REQUEST, socket: "/run/docker.sock" }'],
    ['a sign-in', '{ ...REQUEST, effect: "signIn" }'],
    ['another caller', '{ ...REQUEST, as: { user: "root" } }'],
    [
      'a signature',
      '{ ...REQUEST, auth: { kind: "sigv4", region: "", service: "", accessKeyId: "", secretAccessKey: { $secret: "x" } } }',
    ],
    ['no text', 'null'],
  ])('cannot send or plan a request with %s', async (_, request) => {
    const made = request.replace('REQUEST', "{ method: 'GET', url: baseUrl, effect: 'read' }")
    install(
      () => `
      export const provider = { configure: ({ with: { baseUrl } }) => ({ ok: true, provider: { types: { acme_app: {
        name: 'acme_app', schema: { attributes: {} },
        read: async (target, { transport }) => transport.send(${made}),
        commands: () => [{ action: 'delete', description: 'x', grade: 'unknown', request: ${made} }] } } } }) }`,
    )
    const type = typeOf({ integrity: found().integrity })
    install()
    const transport = aTransport()
    await expect(type.read({ address: 'a.b', attributes: {} }, { transport })).rejects.toMatchObject({
      code: 'PROVIDER_PACKAGE_FAILED',
    })
    expect(() => type.commands(change)).toThrow('answered an invalid value')
    expect(transport.sent).toEqual([])
  })

  it('sees no key, no object in clear, and no secret', async () => {
    install(
      () => `
      export const provider = { configure: (input) => ({ ok: true, provider: { fileRoots: ['/'], programs: ['git'], types: { acme_app: {
        name: 'acme_app', schema: { attributes: {} },
        read: async (target) => ({ kind: 'present', attributes: { input, target } }),
        commands: (change) => [{ action: 'delete', description: JSON.stringify(change), grade: 'unknown', request: { method: 'DELETE', url: 'https://api.acme.example/v1', effect: 'write' } }] } } } }) }`,
    )
    const configured = configure({ integrity: found().integrity })
    install()
    if (!configured.ok) return expect.unreachable(JSON.stringify(configured.issues))
    expect(Object.keys(configured.provider).toSorted()).toEqual(['baseUrls', 'home', 'types'])
    const type = configured.provider.types['acme_app'] ?? expect.unreachable()
    const read = await type.read({ address: 'a.b', attributes: {} }, { transport: aTransport() })
    expect(JSON.stringify(read)).toContain('{"$secret":"env:ACME_TOKEN"}')
    expect(JSON.stringify(type.commands(change))).not.toContain('never seen')
  })
})

const openShared = async () => {
  const server = await startAcme(acmeToken)
  const { declared, secrets, other, end } = await acmeCase()
  await end?.()
  const type = typeOf({ baseUrls: [server.url], with: { baseUrl: server.url, token: { $secret: 'env:ACME_TOKEN' } } })
  return { server, given: { type, declared, ...(other && { other }), ...(secrets && { secrets }) } }
}

let shared: ReturnType<typeof openShared> | undefined
afterAll(async () => (await shared)?.server[Symbol.asyncDispose]())

/** In one sandbox for all cases, as for all resources of a workspace: a new one costs more than a case. */
const inSandbox = async (): Promise<ProviderCase> => {
  shared ??= openShared()
  const { server, given } = await shared
  const transport = createTransport({})({ fileRoots: [] })
  return { ...given, transport, end: async () => server.apps.clear() }
}

describeProvider('the provider of the tutorial, as a package', inSandbox, { describe, it })

describe('the command with a package', () => {
  it('checks, applies and is in sync, and is refused where the package is not allowed', long, async () => {
    await using server = await startAcme(acmeToken)
    const write = (url: string) =>
      writeFileSync(
        join(project.path, 'plumbline.yaml'),
        `workspace: shop
providers:
  acme:
    source: npm:${name}@1.0.0
    integrity: ${found().integrity}
    baseUrls: ["${url}/apps"]
    with: { baseUrl: "${server.url}", token: { secret: "env:ACME_TOKEN" } }
resources:
  - type: acme_app
    name: main
    spec: { name: shop, region: eu, size: 2, plugins: { search: 1.0.0 } }
`,
      )
    write(server.url)
    const env = { PLUMBLINE_PROVIDERS: name, ACME_TOKEN: acmeToken }
    const run = (...words: string[]) => runCommand(words, { folder: project.path, variables: env })
    const refused = await runCommand(['validate'], { folder: project.path, variables: { ACME_TOKEN: acmeToken } })
    expect(refused.code).toBe(1)
    expect(`${refused.stdout}${refused.stderr}`).toContain(`PLUMBLINE_PROVIDERS=${name}`)
    expect(await run('validate')).toMatchObject({ code: 0 })
    const checked = await run('check')
    expect(checked).toMatchObject({ code: 2 })
    const digest = /--digest (sha256:[0-9a-f]{64})/.exec(checked.stdout)?.[1] ?? expect.unreachable(checked.stdout)
    expect(await run('apply', '--digest', digest, '--reason', 'first', '--yes')).toMatchObject({ code: 0 })
    expect(server.apps.get('shop')).toEqual({ region: 'eu', size: 2, plugins: { search: '1.0.0' } })
    expect(await run('check')).toMatchObject({ code: 0 })
    write('https://elsewhere.example')
    const outside = await run('check')
    expect(outside.code).toBe(3)
    expect(outside.stdout).toContain('it was recorded at another target')
  })

  it('blocks a change for which the package gives no commands, and applies the others', long, async () => {
    await using server = await startAcme(acmeToken)
    install((code) =>
      code.replace(
        'const commands = ({ action, before, after }) => {',
        "const commands = ({ action, before, after }) => {\n    if (after?.name === 'bad') throw new Error('no commands for bad')",
      ),
    )
    const app = (label: string) =>
      `  - { type: acme_app, name: ${label}, spec: { name: ${label}, region: eu, size: 2, plugins: {} } }\n`
    writeFileSync(
      join(project.path, 'plumbline.yaml'),
      `workspace: shop-2
providers:
  acme:
    source: npm:${name}@1.0.0
    integrity: ${found().integrity}
    baseUrls: ["${server.url}/apps"]
    with: { baseUrl: "${server.url}", token: { secret: "env:ACME_TOKEN" } }
resources:
${app('good')}${app('bad')}  - { type: acme_app, name: after, spec: { name: later, region: eu, size: 2, plugins: {} }, dependsOn: [acme_app.bad] }
`,
    )
    const variables = { PLUMBLINE_PROVIDERS: name, ACME_TOKEN: acmeToken }
    const run = (...words: string[]) => runCommand(words, { folder: project.path, variables })
    const { code, stdout } = await run('check')
    expect(code).toBe(2)
    const words = stdout.replaceAll(/\s+/g, ' ')
    expect(words).toContain('no commands for bad')
    expect(words).toContain('it depends on acme_app.bad, which is not known')
    const [, digest = ''] = /--digest (sha256:[0-9a-f]{64})/.exec(stdout) ?? expect.unreachable(stdout)
    await run('apply', '--digest', digest, '--reason', 'first', '--yes')
    install()
    expect([...server.apps.keys()]).toEqual(['good'])
  })
})
