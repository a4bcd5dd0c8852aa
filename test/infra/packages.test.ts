import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localClient } from '../../functions/adapters/dynamodb/local-client.ts'
import { ensureTable } from '../../functions/adapters/dynamodb/table.ts'
import { readModule } from '../../functions/adapters/packages/module-file.ts'
import { bundleHandlers } from '../../infra/bundle.ts'
import { type HandlerName, handlers, withPackages } from '../../infra/handlers.ts'
import { readPackages } from '../../infra/packages.ts'
import { readSettings } from '../../infra/settings.ts'
import { apiEvent, tokenOf } from '../builders/aws/api-event.ts'
import { startCloud } from '../builders/aws/cloud.ts'
import { plainBundles } from '../builders/aws/plain-bundles.ts'
import { sqsEvent } from '../builders/aws/sqs-event.ts'
import { settings, synthesise } from '../builders/aws/template.ts'
import { invokeUnpacked, unpack } from '../builders/aws/unpacked.ts'
import { long } from '../builders/long.ts'
import { startAcme } from '../builders/servers/acme-apps.ts'
import { startDynamodb } from '../builders/time/dynamodb-engine.ts'
import { acmeToken } from '../builders/workspaces/acme-case.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

const name = '@acme/plumbline-provider'
const id = `${name}@1.0.0`
const example = join(import.meta.dirname, '../../examples/acme-provider')
const reviewed = readFileSync(join(example, 'provider.mjs'), 'utf8')

/** The deployer's folder. */
const project = temporaryFolder()
afterAll(() => project.remove())

const write = (path: string, text: string): string => {
  const file = join(project.path, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
  const read = readModule(file)
  return read.kind === 'found' ? read.integrity : expect.unreachable(read.detail)
}

/** Says what it found of the machine that it runs on. */
const curious = `
const look = (expression) => { try { return String((0, eval)(expression)) } catch (error) { return error.name } }
const escapes = ['typeof process', 'typeof require', 'typeof fetch', 'typeof WebAssembly', 'typeof Worker', 'typeof setTimeout',
  '(() => {}).constructor("return typeof process + typeof fetch")()', 'globalThis.constructor.constructor("return typeof process")()',
  'typeof import.meta']
export const provider = { configure: (input) => {
  const seen = JSON.stringify(input)
  return { ok: false, issues: [{ message: 'found ' + escapes.map(look).join(' ') + ' seen ' + seen, fix: 'none' }] }
} }
`

const integrity = write(`node_modules/${name}/provider.mjs`, reviewed)
write(`node_modules/${name}/package.json`, readFileSync(join(example, 'package.json'), 'utf8'))
const older = write('vendored/older.mjs', `${reviewed}\n// older`)
const looking = write('vendored/curious.mjs', curious)
const importing = write('vendored/importing.mjs', `import 'node:fs'\n${reviewed}`)
const packages = {
  [id]: { integrity },
  [`${name}@0.9.0`]: { integrity: older, module: 'vendored/older.mjs' },
  'curious@1.0.0': { integrity: looking, module: './vendored/curious.mjs' },
  'importing@1.0.0': { integrity: importing, module: join(project.path, 'vendored/importing.mjs') },
}
const other = `sha512-${'A'.repeat(86)}==`

const read = (named: unknown) =>
  readPackages(
    readSettings(new App({ context: { plumbline: { ...settings, packages: named } } }).node).packages,
    project.path,
  )

describe('the setting "packages"', () => {
  it('accepts the installed module, and any file by its path, in two versions too', () => {
    expect(read(packages).map((each) => [each.id, each.code.length])).toEqual([
      [id, reviewed.length],
      [`${name}@0.9.0`, reviewed.length + 9],
      ['curious@1.0.0', curious.length],
      ['importing@1.0.0', reviewed.length + 17],
    ])
    expect(read(undefined)).toEqual([])
  })

  it.each<readonly [string, Record<string, unknown>, string]>([
    ['a range', { 'x@^1.0.0': { integrity } }, 'is no package with an exact version'],
    ['a path', { '../x@1.0.0': { integrity } }, 'is no package with an exact version'],
    ['a path in a scope', { '@../x@1.0.0': { integrity } }, 'is no package with an exact version'],
    ['a path in a version', { 'x@1.0.0-../../x': { integrity } }, 'is no package with an exact version'],
    ['no integrity', { [id]: {} }, 'integrity is missing'],
    ['another kind of integrity', { [id]: { integrity: 'sha1-x' } }, 'is no SHA-512'],
    ['a misspelt member', { [id]: { integrity, file: 'x' } }, 'file'],
    ['another integrity', { [id]: { integrity: other } }, `its integrity is ${integrity}, not ${other}`],
    ['no such package', { 'nobody@1.0.0': { integrity } }, 'packages["nobody@1.0.0"]: it is not installed'],
    ['another version', { [`${name}@2.0.0`]: { integrity } }, 'version 1.0.0 is installed'],
    ['no such file', { [id]: { integrity, module: 'nowhere.mjs' } }, 'there is no file'],
    ['a folder', { [id]: { integrity, module: 'vendored' } }, 'there is no file'],
  ])('ends the synthesis with %s', (_, named, words) => {
    expect(() => read(named)).toThrow(expect.objectContaining({ name: 'SettingsError' }))
    expect(() => read(named)).toThrow(words)
  })
})

const folders = temporaryFolder()
afterAll(() => folders.remove())
const bundled = join(folders.path, 'with')
let plain = ''
beforeAll(async () => {
  await bundleHandlers(bundled, read(packages))
  plain = (await plainBundles()).folder
})

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .toSorted()

const textOf = (folder: string): string =>
  filesOf(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')

describe('the bundles of packages', () => {
  it.each(handlers)('are in %s exactly if it loads configurations', (handler: HandlerName) => {
    const files = filesOf(join(bundled, handler))
    const own = files.filter((file) => file.startsWith('packages/') || file === 'sandbox.mjs')
    const loads = textOf(join(plain, handler)).includes('is no package, and has')
    expect(own).toEqual(
      loads
        ? [
            `packages/${name}@0.9.0.mjs`,
            `packages/${id}.mjs`,
            'packages/curious@1.0.0.mjs',
            'packages/importing@1.0.0.mjs',
            'sandbox.mjs',
          ]
        : [],
    )
    expect(withPackages.includes(handler)).toBe(loads)
  })

  it.each(handlers)('add nothing to %s where there are no packages', (handler: HandlerName) => {
    expect(textOf(join(plain, handler))).not.toMatch(/node:worker_threads|sandbox\.mjs/)
    if (!withPackages.includes(handler)) expect(filesOf(join(bundled, handler))).toEqual(filesOf(join(plain, handler)))
  })
})

type Kind = 'with' | 'without'
const synthesised = new Map<Kind, ReturnType<typeof synthesise>>()
/** Synthesised once each: that takes longer than all the rest. */
const deployment = (kind: Kind): ReturnType<typeof synthesise> => {
  const made = synthesised.get(kind) ?? (kind === 'with' ? synthesise({ packages }, bundled) : synthesise({}, plain))
  synthesised.set(kind, made)
  return made
}

describe('the stack with packages', () => {
  it('is the same as without, apart from its assets, and breaks no rule', long, () => {
    const [withThem, without] = [deployment('with'), deployment('without')]
    const shape = ({ stack }: typeof without) =>
      JSON.stringify(Template.fromStack(stack).toJSON()).replace(/[0-9a-f]{64}/g, 'asset')
    expect(shape(withThem)).toBe(shape(without))
    expect(existsSync(withThem.app.synth().directory)).toBe(true)
  })
  it('refuses handlers that were bundled without a package of the settings', () => {
    expect(() => synthesise({ packages }, plain)).toThrow(`packages["${id}"]: it is not in the bundle`)
  })
})

/** An address of this machine that is not loopback: the functions refuse loopback as a target. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === 'IPv4' && !each.internal && !each.address.startsWith('169.254.'))?.address

const configuration = (source: string, given: { readonly integrity?: string; readonly url?: string } = {}) => {
  const { integrity: named = integrity, url = 'https://api.acme.example' } = given
  return `workspace: shop
schedule: rate(15 minutes)
providers:
  acme:
    source: npm:${source}
    integrity: ${named}
    baseUrls: ["${url}/apps"]
    with: { baseUrl: "${url}", token: { secret: "ssm:/plumbline/shop/token" } }
resources:
  - type: acme_app
    name: main
    spec: { name: shop, region: eu, size: 2, plugins: { search: 1.0.0 } }
`
}

describe('the uploaded functions', () => {
  const unpacked = new Map<string, string>()
  const folderOf = (kind: Kind, handler: string): string => {
    const key = `${kind}/${handler}`
    const folder = unpacked.get(key) ?? unpack(deployment(kind).app, handler, join(folders.path, 'var', kind))
    unpacked.set(key, folder)
    return folder
  }

  const world = async () => {
    const engine = await startDynamodb()
    const cloud = await startCloud({ '/plumbline/shop/token': acmeToken })
    const TABLE_NAME = 'plumbline'
    await ensureTable(localClient(engine.endpoint), TABLE_NAME)
    const variables = {
      TABLE_NAME,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL: cloud.url,
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
      TOPIC_ARN: 'arn:aws:sns:us-east-1:123456789012:alerts',
      CHECK_QUEUE_URL: `${cloud.url}/123456789012/checks`,
      APPLY_QUEUE_URL: `${cloud.url}/123456789012/applies.fifo`,
      SEAL_KEY_ID: 'arn:aws:kms:us-east-1:123456789012:key/4711',
      SECRET_NAMES: 'plumbline/{workspace}/*',
    }
    const invoke = async (handler: HandlerName, event: unknown, kind: Kind = 'with') =>
      (await invokeUnpacked(folderOf(kind, handler), { handler, event, variables })).answer
    const request = async (method: string, path: string, given: object = {}, kind: Kind = 'with') => {
      const event = apiEvent(method, path, { authorizer: tokenOf('read check apply configure'), ...given })
      const { statusCode, body } = (await invoke('api', event, kind)) as { statusCode: number; body: string }
      return { status: statusCode, json: JSON.parse(body) }
    }
    const push = (text: string, kind: Kind = 'with') =>
      request('PUT', '/v1/workspaces/shop', { headers: { 'content-type': 'application/yaml' }, body: text }, kind)
    const stop = async () => {
      await cloud[Symbol.asyncDispose]()
      await engine.stop()
    }
    return { invoke, request, push, cloud, [Symbol.asyncDispose]: stop }
  }

  it('refuse a push of a package that they do not contain, and name the setting', long, async () => {
    await using shop = await world()
    const cases = [
      ['@acme/elsewhere@1.0.0', {}, 'is not bundled with the functions of this deployment', 'with'],
      [`${name}@2.0.0`, {}, 'is bundled with the functions of this deployment, 0.9.0, 1.0.0', 'with'],
      [id, { integrity: older }, `is not the one that was reviewed; its integrity is ${integrity}`, 'with'],
      [`${name}@0.9.0`, {}, `its integrity is ${older}`, 'with'],
      [id, {}, `the package ${id} is not bundled with the functions of this deployment`, 'without'],
      ['importing@1.0.0', { integrity: importing }, 'the provider package importing failed', 'with'],
    ] as const
    for (const [source, given, words, kind] of cases) {
      const { status, json } = await shop.push(configuration(source, given), kind)
      expect(status).toBe(422)
      expect(JSON.stringify(json)).toContain(words)
      if (!source.startsWith('importing')) expect(JSON.stringify(json)).toContain('`packages`')
    }
  })

  it('run a package that sees nothing of the machine, no variable and no secret', long, async () => {
    await using shop = await world()
    const { json } = await shop.push(configuration('curious@1.0.0', { integrity: looking }))
    const text = JSON.stringify(json)
    expect(text).toContain('found undefined undefined undefined undefined')
    expect(text).not.toMatch(/found[^,]*(object|function|string)/)
    expect(text).not.toContain(acmeToken)
    expect(text).toContain('ssm:/plumbline/shop/token')
  })

  it('report the same in a check once the package is no longer bundled', long, async () => {
    await using shop = await world()
    expect(await shop.push(configuration(id))).toMatchObject({ status: 200 })
    expect(await shop.invoke('check', sqsEvent([{ body: { workspace: 'shop' } }]), 'without')).toEqual({
      batchItemFailures: [],
    })
    const { json } = await shop.request('GET', '/v1/workspaces/shop/runs')
    expect(JSON.stringify(json)).toContain('is not bundled with the functions of this deployment')
  })

  it.runIf(address !== undefined)(
    'check and apply with a package, and find the target in sync afterwards',
    async () => {
      await using shop = await world()
      await using target = await startAcme(acmeToken, address)
      expect(await shop.push(configuration(id, { url: target.url }))).toMatchObject({ status: 200 })
      const check = () => shop.invoke('check', sqsEvent([{ body: { workspace: 'shop' } }]))
      expect(await check()).toEqual({ batchItemFailures: [] })
      const runs = await shop.request('GET', '/v1/workspaces/shop/runs')
      const [{ status, digests }] = runs.json.items
      expect(status).toBe('changes')
      const approved = await shop.request('POST', '/v1/workspaces/shop/apply', {
        body: JSON.stringify({ mode: 'execute', digest: digests.commands, reason: 'first' }),
        headers: { 'content-type': 'application/json' },
      })
      expect(approved).toMatchObject({ status: 202 })
      const [body = ''] = shop.cloud.queued
      expect(await shop.invoke('apply', sqsEvent([{ body, group: 'shop' }]))).toEqual({ batchItemFailures: [] })
      expect(target.apps.get('shop')).toEqual({ region: 'eu', size: 2, plugins: { search: '1.0.0' } })
      await check()
      const [latest] = (await shop.request('GET', '/v1/workspaces/shop/runs')).json.items
      expect(latest.status).toBe('in_sync')
    },
  )
})
