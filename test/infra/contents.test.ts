import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, cpSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { MessageChannel, Worker } from 'node:worker_threads'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as bundling from '../../infra/bundle.ts'
import { packagesOf } from '../../infra/bundled-packages.ts'
import { handlers } from '../../infra/handlers.ts'
import { toSbom } from '../../infra/sbom.ts'
import { plainBundles } from '../builders/aws/plain-bundles.ts'
import { isLawRun } from '../builders/laws.ts'
import { long } from '../builders/long.ts'
import { temporaryFolder } from '../builders/workspaces/workspace.ts'

/* What is deployed and published: the same bytes from the same sources, and a list of what is in them. */

const { root } = bundling
const folder = temporaryFolder()
afterAll(() => folder.remove())

const buildAll = async (out: string, { bundleHandlers, bundlePackage }: typeof bundling): Promise<void> => {
  await bundleHandlers(join(out, 'functions'))
  await bundlePackage(join(out, 'package'))
}

/** By path, the digest of each file. */
const digestsIn = (out: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => [file.slice(out.length), createHash('sha256').update(readFileSync(file)).digest('hex')]),
  )

const first = join(folder.path, 'first')
beforeAll(async () => {
  await bundling.bundlePackage(join(first, 'package'))
  cpSync((await plainBundles()).folder, join(first, 'functions'), { recursive: true })
})

/** A copy of a folder that shares its files, where the file system can. A link to the folder would lead back to it. */
const linkTree = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkTree(source, target)
    else if (entry.isFile()) shareFile(source, target)
  }
}

const shareFile = (source: string, target: string): void => {
  try {
    linkSync(source, target)
  } catch {
    copyFileSync(source, target)
  }
}

describe('what is published', () => {
  it('runs packages of providers in its sandbox', async () => {
    const { port1, port2 } = new MessageChannel()
    const thread = new Worker(join(first, 'package', 'sandbox.mjs'), {
      workerData: {
        ...{
          port: port2,
          signal: new Int32Array(new SharedArrayBuffer(4)),
          memoryBytes: 1e8,
          steps: 1e8,
          textLength: 1e6,
        },
        code: 'export const provider = { configure: () => ({ ok: true, provider: { types: {} } }) }',
      },
      transferList: [port2],
    })
    port1.postMessage({ kind: 'call', call: 1, op: 'configure', args: '[{}]' })
    const failed = once(thread, 'error').then(([error]) => Promise.reject(error))
    const [answer] = (await Promise.race([once(port1, 'message'), failed])) as [{ readonly data?: unknown }]
    expect(answer.data ?? answer).toEqual({ kind: 'done', call: 1, text: '{"ok":true,"types":[]}' })
    port1.close()
    await thread.terminate()
  })
})

describe('a second build', () => {
  it('into another folder is the same to the byte', long, async () => {
    const second = join(folder.path, 'another', 'folder')
    await bundling.bundlePackage(join(second, 'package'))
    expect(digestsIn(join(second, 'package'))).toEqual(digestsIn(join(first, 'package')))
  })

  it.runIf(isLawRun)('of sources in another folder is the same to the byte', async () => {
    const clone = join(folder.path, 'clone')
    for (const each of ['core', 'functions', 'infra', 'docs', 'examples/host', 'package.json', 'tsconfig.json'])
      cpSync(join(root, each), join(clone, each), { recursive: true })
    linkTree(join(root, 'node_modules'), join(clone, 'node_modules'))
    const third = join(folder.path, 'third')
    await buildAll(third, (await import(join(clone, 'infra', 'bundle.ts'))) as typeof bundling)
    expect(digestsIn(third)).toEqual(digestsIn(first))
  })
})

interface Component {
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[]
}

const sbomIn = (place: string) =>
  JSON.parse(readFileSync(join(first, place, 'sbom.cdx.json'), 'utf8')) as { readonly components: readonly Component[] }

/** Licences under which code may be passed on with its notices. */
const permissive = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0']

const schemaOf = (name: string): object => {
  const library = createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json')
  return JSON.parse(readFileSync(join(library, '..', 'res', 'schema', name), 'utf8')) as object
}

const places = ['package', ...handlers.map((name) => `functions/${name}`)]

describe.each(places)('the contents of %s', (place) => {
  it('are listed in the form of CycloneDX', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false })
    for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs'])
      ajv.addSchema(
        schemaOf(`${name}.SNAPSHOT.schema.json`),
        `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`,
      )
    const validate = ajv.compile(schemaOf('bom-1.6.SNAPSHOT.schema.json'))
    expect(validate(sbomIn(place)), ajv.errorsText(validate.errors)).toBe(true)
  })

  it('have licences that permit their use, and include the texts of these', () => {
    const { components } = sbomIn(place)
    expect(components.length).toBeGreaterThan(10)
    const texts = readFileSync(join(first, place, 'third-party-licences.txt'), 'utf8')
    for (const { name, version, licenses } of components) {
      expect(licenses.map(({ license, expression }) => license?.id ?? expression)).toEqual([
        expect.toBeOneOf(permissive),
      ])
      expect(texts).toContain(`${name}@${version}: `)
    }
  })

  it('include no tool that is only for building or testing', () => {
    const names = sbomIn(place).components.map(({ name }) => name)
    expect(names).toContain('zod')
    expect(names.filter((name) => /^(vitest|esbuild|typescript|aws-cdk.*|@cyclonedx.*)$/.test(name))).toEqual([])
  })
})

it('a package is listed once for each version, and a package without a licence is reported', () => {
  const plain = { version: '1.0.0', texts: [] }
  const text = toSbom({ name: 'x', version: '1' }, [
    { ...plain, name: '@a/b', licence: 'NOASSERTION' },
    { ...plain, name: 'c', licence: '(MIT OR Apache-2.0)' },
  ])
  expect(JSON.parse(text)).toMatchObject({
    components: [
      { purl: 'pkg:npm/%40a/b@1.0.0', licenses: [{ expression: 'NOASSERTION' }] },
      { purl: 'pkg:npm/c@1.0.0', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
    ],
  })
  const inZod = ['index.js', 'v4/core/schemas.js'].map((file) => join(root, 'node_modules', 'zod', file))
  expect(packagesOf([...inZod, join(root, 'core', 'index.ts')]).map(({ name }) => name)).toEqual(['zod'])
})
