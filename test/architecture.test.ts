import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { afterAll, describe, expect, it } from 'vitest'
import law from '../.config/dependency-cruiser.mjs'

const root = join(import.meta.dirname, '..')

/** A copy to plant in: the tree itself is what other tests read at the same time. */
const copy = mkdtempSync(join(tmpdir(), 'plumbline-law-'))
const folders = ['core', 'functions', 'infra']
for (const name of [...folders, 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(copy, name), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const cruiseTree = async (baseDir: string, paths: readonly string[]): Promise<ICruiseResult> => {
  const { tsConfig: _, ...options } = law.options ?? {}
  const tsConfig = extractTsConfig(join(baseDir, 'tsconfig.json'))
  const rules = { ruleSet: { forbidden: law.forbidden ?? [] }, validate: true, baseDir }
  const { output } = await cruise([...paths], { ...options, ...rules }, undefined, { tsConfig })
  if (typeof output === 'string') throw new Error('no result')
  return output
}

const broken = ({ summary }: ICruiseResult) => [...new Set(summary.violations.map(({ rule }) => rule.name))].toSorted()

/** A file for each rule, with an import that the rule is there to stop. */
const planted: readonly [string, string, string][] = [
  ['schema-stands-alone', 'core/engine/schema/planted.ts', "import '../digest.ts'"],
  ['values-are-pure', 'core/engine/values/planted.ts', "import 'node:fs'"],
  ['json-is-pure', 'core/engine/json/planted.ts', "import '../values/defined.ts'"],
  ['diff-and-graph-are-pure', 'core/engine/diff/planted.ts', "import 'node:fs'"],
  ['diff-and-graph-are-pure', 'core/engine/graph/planted.ts', "import type {} from '../state/store/store.ts'"],
  [
    'plan-imports-no-provider',
    'core/engine/plan/planted.ts',
    "import type { Provider } from '../providers/provider.ts'\nexport type P = Provider",
  ],
  ['binding-is-pure', 'core/engine/binding/planted.ts', "import type {} from '../providers/provider.ts'"],
  ['render-imports-only-shapes', 'core/pages/render/planted.ts', "import '../diff/compare.ts'"],
  ['tofu-imports-no-plan', 'core/pages/tofu/planted.ts', "import type {} from '../plan/planning.ts'"],
  ['config-reads-files-only', 'core/engine/config/planted.ts', "import '../state/store/memory.ts'"],
  ['otterdog-reads-one-file', 'core/sources/otterdog/planted.ts', "import '../config/load.ts'"],
  ['otterdog-is-loaded-late', 'core/engine/workflows/session/planted.ts', "import '../../otterdog/index.ts'"],
  ['rest-documents-are-data', 'core/providers/rest/document/planted.ts', "import '../../../command/unknown.ts'"],
  ['rest-checks-read-documents', 'core/providers/rest/check/planted.ts', "import type {} from '../request/context.ts'"],
  [
    'conformance-uses-the-gates-of-the-engine',
    'core/tools/conformance/planted.ts',
    "import '../providers/machine/machine.ts'",
  ],
  ['rest-folders-import-downwards', 'core/providers/rest/read/planted.ts', "import '../write/command-context.ts'"],
  ['rest-requests-do-not-import-reads', 'core/providers/rest/request/planted.ts', "import '../read/pages.ts'"],
  ['descriptions-import-no-engine', 'core/tools/authoring/init/planted.ts', "import '../../workflows/deps.ts'"],
  [
    'authoring-imports-only-documents-of-rest',
    'core/tools/authoring/probe/planted.ts',
    "import '../../providers/rest/rest.ts'",
  ],
  [
    'only-authoring-imports-rest',
    'core/engine/workflows/planted.ts',
    "import type {} from '../providers/rest/document/template.ts'",
  ],
  [
    'transport-is-below-providers',
    'core/engine/transport/planted.ts',
    "import type {} from '../providers/provider.ts'",
  ],
  ['ledger-imports-only-transport', 'core/engine/ledger/planted.ts', "import '../state/store/memory.ts'"],
  ['alert-is-pure', 'core/engine/alert/planted.ts', "import '../render/index.ts'"],
  ['state-is-below-workflows', 'core/engine/state/planted.ts', "import '../workflows/deps.ts'"],
  ['providers-import-no-other-provider', 'core/providers/machine/planted.ts', "import '../rest/rest.ts'"],
  ['shipped-documents-use-the-engine', 'core/providers/github/planted.ts', "import '../rest/read/pages.ts'"],
  [
    'approved-commands-are-data',
    'core/engine/workflows/apply/approved/planted.ts',
    "import type {} from '../../deps.ts'",
  ],
  ['apply-imports-no-registry', 'core/engine/workflows/apply/planted.ts', "import '../../providers/index.ts'"],
  [
    'workflow-folders-import-downwards',
    'core/engine/workflows/check/planted.ts',
    "import '../workspace/put-workspace.ts'",
  ],
  ['planning-is-pure', 'core/engine/workflows/session/plan/planted.ts', "import type {} from '../../deps.ts'"],
  ['sessions-send-nothing', 'core/engine/workflows/session/planted.ts', "import '../check/check-workspace.ts'"],
  ['core-imports-no-platform', 'core/engine/workflows/planted.ts', "import '@aws-sdk/client-sns'"],
  ['core-imports-no-platform', 'core/engine/state/planted.ts', "import '../../functions/env.ts'"],
  ['core-has-no-side-effects', 'core/engine/workflows/planted.ts', "import 'node:fs'"],
  ['core-has-no-side-effects', 'core/providers/rest/read/planted.ts', "import 'node:child_process'"],
  ['core-has-no-side-effects', 'core/engine/transport/planted.ts', "import 'node:fs/promises'"],
  ['core-imports-built-ins-in-few-files', 'core/engine/plan/planted.ts', "import 'node:crypto'"],
  ['core-needs-few-packages', 'core/engine/workflows/planted.ts', "import 'commander'"],
  ['render-imports-only-shapes', 'core/pages/render/planted.ts', "import 'commander'"],
  ['transport-is-below-providers', 'core/engine/transport/planted.ts', "import 'commander'"],
  ['errors-stand-alone', 'core/errors-planted.ts', "import './digest.ts'"],
  ['resolvable', 'core/engine/schema/planted.ts', "import './nowhere.ts'"],
  // Installed, as a dependency of another package.
  ['functions-need-few-packages', 'functions/api/routes/planted.ts', "import 'yaml'"],
  ['functions-need-few-packages', 'functions/adapters/planted.ts', "import '@aws-sdk/core'"],
  ['infra-needs-few-packages', 'infra/planted.ts', "import 'commander'"],
  ['functions-import-entry-points-of-core', 'functions/planted.ts', "import '../core/engine/state/store/memory.ts'"],
  ['shared-functions-import-no-command', 'functions/api/routes/planted.ts', "import '../../cli/program.ts'"],
  ['adapters-import-only-core', 'functions/adapters/planted.ts', "import '../api/routes/index.ts'"],
  ['vendors-of-functions', 'functions/api/routes/planted.ts', "import 'commander'"],
  ['emulators-are-for-tests', 'functions/dev/planted.ts', "import 'fauxqs'"],
  ['vendors-in-adapters', 'functions/api/routes/planted.ts', "import '@aws-sdk/client-sqs'"],
  ['infra-does-not-import-core', 'infra/planted.ts', "import '#core'"],
  ['infra-imports-only-names-of-functions', 'infra/planted.ts', "import '../functions/env.ts'"],
  ['files-shared-with-infra-import-nothing', 'functions/metric-names.ts', "import './env.ts'"],
  ['modules-are-read-alike', 'functions/adapters/packages/module-file.ts', "import '#core'"],
  ['no-cycles', 'core/engine/schema/planted.ts', "import type {} from './planted-too.ts'\nexport type A = 1"],
]
const companions = { 'core/engine/schema/planted-too.ts': "import type {} from './planted.ts'\nexport type B = 1" }

describe('the import law', () => {
  it('holds over the whole tree, and looks at all of it', async () => {
    const result = await cruiseTree(root, folders)
    expect(broken(result)).toEqual([])
    expect(result.summary.totalCruised).toBeGreaterThan(200)
  })

  it.each(planted)('%s is seen in %s', async (rule, path, text) => {
    const files = { ...companions, [path]: text }
    for (const [name, content] of Object.entries(files)) writeFileSync(join(copy, name), `${content}\nexport {}\n`)
    expect(broken(await cruiseTree(copy, [path]))).toContain(rule)
    for (const name of Object.keys(files)) rmSync(join(copy, name))
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
    const apart = ['providers', 'otterdog']
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
