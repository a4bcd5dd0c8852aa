import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/*
 * Wings of the house: what can be taken away by `rm -r` of a folder and of the lines that are listed here. The import law proves
 * that no other file uses one; rows of the law without a folder are reported by test/architecture.test.ts.
 */

const root = join(import.meta.dirname, '..')

interface Wing {
  /** What goes, besides its tests. */
  readonly folders: RegExp
  /** How others name it. */
  readonly names: RegExp
  readonly lines: readonly string[]
}

const wings: Readonly<Record<string, Wing>> = {
  'core/providers/github': {
    folders: /^core\/providers\/github\//,
    names: /\bgithub\/github\.ts|\{ github, host/,
    lines: [
      "core/providers/index.ts: import { github } from './github/github.ts'",
      'core/providers/index.ts: export const providers: ProviderRegistry = { github, host, machine, npm: notHere, rest }',
    ],
  },
  'core/providers/machine': {
    folders: /^core\/providers\/machine\//,
    names: /\bmachine\/machine\.ts|\bhost, machine\b/,
    lines: [
      "core/providers/index.ts: import { host, machine } from './machine/machine.ts'",
      'core/providers/index.ts: export const providers: ProviderRegistry = { github, host, machine, npm: notHere, rest }',
    ],
  },
  'core/providers/npm': {
    folders: /^core\/providers\/(npm\/|with-packages\.ts|load-packages\.ts)|^functions\/adapters\/packages\//,
    names: /\bnpm\/(npm|not-here)\.ts|npm: notHere|load-packages\.ts|loadProvidersWith/,
    lines: [
      "core/index.ts: export { loadProvidersWith } from './providers/load-packages.ts'",
      "core/providers/index.ts: import { notHere } from './npm/not-here.ts'",
      'core/providers/index.ts: export const providers: ProviderRegistry = { github, host, machine, npm: notHere, rest }',
    ],
  },
  'core/providers/rest (with github, and the tools for its documents)': {
    folders: /^core\/(providers\/(rest|github)|tools\/authoring)\//,
    names: /\brest\/rest\.ts|notHere, rest \}|providers\/rest\//,
    lines: [
      "core/providers/index.ts: import { rest } from './rest/rest.ts'",
      'core/providers/index.ts: export const providers: ProviderRegistry = { github, host, machine, npm: notHere, rest }',
    ],
  },
  'core/sources/otterdog': {
    folders: /^core\/sources\/otterdog\//,
    names: /\botterdog\/|\bcore\/sources\/otterdog\b/,
    lines: [
      "core/sources/index.ts: otterdog: async () => (await import('./otterdog/index.ts')).otterdog,",
      'package.json: "otterdog:drift": "node test/sources/otterdog/drift.ts",',
    ],
  },
  'core/pages/tofu': {
    folders: /^core\/pages\/tofu\/|^functions\/cli\/commands\/render\.ts$/,
    names: /\/tofu\/|#tofu|'\.\/render\.ts'/,
    lines: [
      "functions/cli/commands/index.ts: ['render [options] [file]', 'show a plan or a state of OpenTofu or Terraform', () => import('./render.ts')],",
      'package.json: "#tofu": "./core/pages/tofu/index.ts",',
      'package.json: "bench:render": "node test/pages/tofu/bench/render.ts",',
      'package.json: "fuzz:render": "node test/pages/tofu/bench/render-fuzz.ts",',
      'package.json: "test/pages/tofu/bench/render-case.ts",',
    ],
  },
  'core/tools/authoring': {
    folders:
      /^core\/tools\/authoring\/|^functions\/cli\/commands\/(accept|import)\.ts$|^functions\/cli\/commands\/provider\//,
    names: /tools\/authoring|#authoring|'\.\/(accept|import)\.ts'|'\.\/provider\//,
    lines: [
      "functions/cli/commands/index.ts: ['accept [options] [address-and-paths...]', 'write live values into the configuration', () => import('./accept.ts')],",
      "functions/cli/commands/index.ts: ['import [options] [type...]', 'write the configuration of existing objects', () => import('./import.ts')],",
      "functions/cli/commands/index.ts: ['provider', 'write, check and try provider documents', () => import('./provider/index.ts')],",
      'package.json: "#authoring": "./core/tools/authoring/index.ts"',
    ],
  },
  'core/tools/conformance': {
    folders: /^core\/tools\/conformance\//,
    names: /tools\/conformance/,
    lines: [
      "infra/bundle.ts: entryPoints: { testing: 'core/tools/conformance/index.ts' },",
      'package.json: "core/tools/conformance/index.ts",',
    ],
  },
}

const sources = ['core', 'functions', 'infra'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .toSorted(),
)

const isCode = (line: string): boolean => !/^\s*(\/\/|\/?\*)/.test(line)

describe.each(Object.entries(wings))('%s', (name, { folders, names, lines }) => {
  it('is named outside only in lines that can be deleted with it', () => {
    const outside = sources.filter((file) => !folders.test(file))
    expect(outside.length).toBeLessThan(sources.length)
    const named = [...outside, 'package.json'].flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => isCode(line) && names.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(named).toEqual(lines)
  })

  it('says in a README of at most 20 lines what it is for and how it is removed', () => {
    const [folder = ''] = name.split(' ')
    const page = readFileSync(join(root, folder, 'README.md'), 'utf8')
    expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
    for (const part of ['Doors', 'May import', 'To remove']) expect(page).toContain(part)
  })
})
