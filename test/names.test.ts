import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

interface Synonyms {
  readonly where: string
  readonly folders: readonly string[]
  readonly forbidden: readonly string[]
  readonly instead: string
}

/** The path of one value, from the configuration to the record: docs/glossary.md has its names. */
const path = ['binding', 'diff', 'plan', 'workflows/session', 'workflows/apply'].map((each) => `core/engine/${each}`)

const synonyms: readonly Synonyms[] = [
  {
    where: 'between configuration and request',
    folders: [...path, 'core/providers'],
    forbidden: ['wanted', 'looked'],
    instead: 'desired, observed',
  },
  { where: 'in the engine', folders: path, forbidden: ['declared', 'live'], instead: 'desired, observed' },
  {
    where: 'anywhere',
    folders: ['core', 'functions'],
    forbidden: ['settle', 'settled'],
    instead: 'a verb for what the function does',
  },
]

type Named = ts.Node & { readonly name?: ts.Node }

/** The names that a file declares: variables, parameters, functions and members of types. */
const declaredIn = (source: string): readonly string[] => {
  const file = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const { name } = node as Named
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isPropertySignature(node) ||
      ts.isFunctionDeclaration(node)
    if (declares && name !== undefined && ts.isIdentifier(name))
      found.push(`${file.getLineAndCharacterOfPosition(name.getStart(file)).line + 1}: ${name.text}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const known = new Map<string, readonly string[]>()

/** Of a file of the repository, which is parsed once for all rows. */
const namesOf = (file: string): readonly string[] => {
  const names = known.get(file) ?? declaredIn(readFileSync(join(root, file), 'utf8')).map((name) => `${file}:${name}`)
  known.set(file, names)
  return names
}

const namesIn = (folder: string): readonly string[] => globSync(`${folder}/**/*.ts`, { cwd: root }).flatMap(namesOf)

describe('one value has one name', () => {
  it('finds the names of variables, parameters, members and functions', () => {
    const source = 'const a = 1\nconst f = (b: { c: number }, { d }: X) => { function e() {} }\nuse({ g: a.h })'
    expect(declaredIn(source)).toEqual(['1: a', '2: f', '2: b', '2: c', '2: d', '2: e'])
  })

  it.each(synonyms)('names $where are $instead, and not $forbidden', ({ folders, forbidden }) => {
    const names = folders.flatMap(namesIn)
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => forbidden.includes(name.slice(name.lastIndexOf(' ') + 1)))).toEqual([])
  })
})

/** The files that declare each type name. */
const typeNames = (): ReadonlyMap<string, readonly string[]> => {
  const files = ['core', 'functions', 'infra'].flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  const all = files.flatMap((file) => {
    const { statements } = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest)
    const types = statements.filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each))
    return types.map(({ name }) => ({ name: name.text, file }))
  })
  const byName = Map.groupBy(all, ({ name }) => name)
  return new Map([...byName].map(([name, each]) => [name, [...new Set(each.map(({ file }) => file))]]))
}

/** Two meanings of a word in two rooms are read apart; many are not. */
it('few type names are declared in several files', () => {
  const several = [...typeNames()].filter(([, files]) => files.length > 1)
  expect(several.filter(([, files]) => files.length > 2).length).toBeLessThanOrEqual(10)
  expect(several.filter(([, files]) => files.length === 2).length).toBeLessThanOrEqual(100)
})
