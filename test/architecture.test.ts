import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import config from '../.config/dependency-cruiser.mjs'
import { law } from '../.config/import-law.mjs'

const root = join(import.meta.dirname, '..')

type Row = (typeof law)[number]

/** A copy to plant in: the tree itself is what other tests read at the same time. */
const copy = mkdtempSync(join(tmpdir(), 'plumbline-law-'))
const folders = ['core', 'functions', 'infra']
for (const name of [...folders, 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(copy, name), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const cruiseTree = async (
  baseDir: string,
  paths: readonly string[],
  more: ICruiseOptions = {},
): Promise<ICruiseResult> => {
  const { tsConfig: _, ...options } = config.options ?? {}
  const tsConfig = extractTsConfig(join(baseDir, 'tsconfig.json'))
  const rules = { ruleSet: { forbidden: config.forbidden ?? [] }, validate: true, baseDir }
  const { output } = await cruise([...paths], { ...options, ...rules, ...more }, undefined, { tsConfig })
  if (typeof output === 'string') throw new Error('no result')
  return output
}

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .toSorted()

const all = folders.flatMap(filesOf)
const isIn = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`)
/** The row that holds for a file: the most specific one. */
const rowOf = (file: string): Row | undefined =>
  law.filter(({ folder }) => isIn(file, folder)).toSorted((left, right) => right.folder.length - left.folder.length)[0]

/** One file of each row, and packages of which no row may import all. */
const targets = law.flatMap(({ folder }) => all.find((file) => rowOf(file)?.folder === folder) ?? [])
const packages = [
  '@aws-sdk/client-sqs',
  'commander',
  'yaml',
  'zod',
  'aws-cdk-lib',
  'node:fs',
  'node:child_process',
  'fauxqs',
  'vitest',
]

const mayImport = ({ folder, may }: Row, target: string): boolean =>
  rowOf(target)?.folder === folder ||
  may.some(
    (each) => each === target || isIn(target, each) || (each.endsWith('*') && target.startsWith(each.slice(0, -1))),
  )

/** Where a row's violations are planted: in a new file, or in the one file that the row is about. */
const plantedAt = ({ folder }: Row): string => (folder.endsWith('.ts') ? folder : `${folder}/planted.ts`)
const planted = law.map((row) => ({
  at: plantedAt(row),
  forbidden: [...targets, ...packages].filter((target) => !mayImport(row, target) && target !== plantedAt(row)),
}))

/**
 * The violations of the files' own imports: what these lead to is the tree, which is seen elsewhere. A file that others
 * import is cruised alone: it would count as seen where they lead to it.
 */
const violationsAt = async (files: readonly string[]) => {
  const imported = files.filter((file) => !file.endsWith('/planted.ts'))
  const groups = [files.filter((file) => !imported.includes(file)), ...imported.map((file) => [file])]
  const cruised: ICruiseResult[] = []
  for (const group of groups) cruised.push(await cruiseTree(copy, group, { maxDepth: 1 }))
  return cruised.flatMap(({ summary }) => summary.violations)
}

/** The arrows that lead back: from a folder to one that reaches it. */
const arrowsBack = (graph: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] =>
  [...graph].flatMap(([from, to]) =>
    [...to].filter((next) => reached(graph, next).has(from)).map((next) => `${from} -> ${next}`),
  )

const reached = (graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): ReadonlySet<string> => {
  const seen = new Set<string>()
  const open = [start]
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const each of graph.get(next) ?? [])
      if (!seen.has(each)) {
        seen.add(each)
        open.push(each)
      }
  return seen
}

describe('the import law', () => {
  let tree: ICruiseResult
  beforeAll(async () => {
    tree = await cruiseTree(root, folders)
  })

  it('holds over the whole tree, and looks at all of it', () => {
    expect(tree.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([])
    const seen = new Set(tree.modules.map(({ source }) => source))
    expect(all.filter((file) => !seen.has(file))).toEqual([])
  })

  it('has a row for each file, and no row without a file', () => {
    expect(all.filter((file) => rowOf(file) === undefined)).toEqual([])
    expect(
      law.map(({ folder }) => folder).filter((folder) => !all.some((file) => rowOf(file)?.folder === folder)),
    ).toEqual([])
    const places = law.flatMap(({ may }) => may).filter((each) => /^(core|functions|infra)(\/|$)/.test(each))
    expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([])
  })

  it('sees each import that no row allows', async () => {
    for (const { at, forbidden } of planted) {
      const imports = forbidden.map((target) =>
        target.includes('/') && all.includes(target) ? relative(dirname(at), target) : target,
      )
      const lines = imports.map(
        (name) => `import ${JSON.stringify(/\.ts$/.test(name) && !name.startsWith('.') ? `./${name}` : name)}\n`,
      )
      writeFileSync(join(copy, at), `${lines.join('')}export {}\n`)
    }
    const violations = await violationsAt(planted.map(({ at }) => at))
    const seen = new Set(violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`))
    const unseen = planted.flatMap(({ at, forbidden }, index) =>
      forbidden
        .filter((target) => {
          const name = target.startsWith('node:') ? target.slice('node:'.length) : target
          return ![...seen].some((line) => line.startsWith(`${law[index]?.folder}: ${at} -> `) && line.includes(name))
        })
        .map((target) => `${at} -> ${target}`),
    )
    expect(unseen).toEqual([])
    expect(planted.flatMap(({ forbidden }) => forbidden).length).toBeGreaterThan(1_000)
  })

  it('sees a circle, an import that leads nowhere, and what is loaded too early', async () => {
    const files = {
      'core/engine/schema/one.ts': "import type {} from './two.ts'\nexport type A = 1",
      'core/engine/schema/two.ts': "import type {} from './one.ts'\nexport type B = 1",
      'core/engine/schema/lost.ts': "import './nowhere.ts'\nexport {}",
      'core/sources/early.ts': "import './otterdog/index.ts'\nexport {}",
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(copy, name), text)
    const { summary } = await cruiseTree(copy, Object.keys(files))
    const names = new Set(summary.violations.map(({ rule }) => rule.name))
    for (const name of ['no-cycles', 'resolvable', 'otterdog-is-loaded-late']) expect(names).toContain(name)
  })

  it('lets no import between folders of the core lead back', () => {
    const graph = new Map<string, Set<string>>()
    for (const { source, dependencies } of tree.modules.filter((each) => each.source.startsWith('core/'))) {
      const from = dirname(source)
      const to = graph.get(from) ?? new Set()
      for (const { resolved } of dependencies)
        if (resolved.startsWith('core/') && dirname(resolved) !== from) to.add(dirname(resolved))
      graph.set(from, to)
    }
    expect(arrowsBack(graph)).toEqual([])
  })
})

const sources = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))

/** Every line of the folders that the pattern finds, as file:line. */
const lines = (within: readonly string[], pattern: RegExp): readonly string[] =>
  within.flatMap(sources).flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line) ? [`${file}:${index + 1}`] : [],
      ),
  )

describe('laws of the text', () => {
  it('core has no clock, no randomness and no environment of its own', () => {
    expect(
      lines(['core'], /Date\.now\(|new Date\(\)|Math\.random|randomUUID|process\.(env|argv|cwd)|performance\.now/),
    ).toEqual([])
  })
  it('nobody throws plain errors', () => {
    expect(lines(['core', 'functions', 'infra'], /throw new (Error|TypeError|RangeError)\(/)).toEqual([])
  })
  it('shared code never asks for a resource type of any example by name', () => {
    const declared = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(yaml|json|jsonc)$/.test(name))
      .flatMap((name) => [...readFileSync(join(root, 'examples', name), 'utf8').matchAll(/type: ([a-z]+_\w+)/g)])
      .map(([, type]) => type ?? '')
    const types = [...new Set(declared)]
    expect(types.length).toBeGreaterThan(15)
    // A format of another product is about the types of one provider.
    const apart = ['providers', 'sources']
    const shared = readdirSync(join(root, 'core')).filter((name) => !name.includes('.') && !apart.includes(name))
    const named = new RegExp(`['"\`](${types.join('|')})['"\`]`)
    expect(
      lines(
        shared.map((name) => `core/${name}`),
        named,
      ),
    ).toEqual([])
  })
  it('no file is longer than 300 lines', () => {
    const long = ['core', 'functions', 'infra']
      .flatMap(sources)
      .filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 301)
    expect(long).toEqual([])
  })
})
