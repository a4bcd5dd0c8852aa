import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/* Promise: whoever reads a test report finds a statement at each test, and not a case alone. */

/** What vitest replaces by values of a case. */
const placeholder = /%\.?\d*[a-z#$]|\$[\w.]+/gi

const isTest = (node: ts.Node): boolean => {
  if (ts.isIdentifier(node)) return node.text === 'it' || node.text === 'test'
  return (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) && isTest(node.expression)
}

/** Titles of tests without a letter beside their placeholders, as `line: title`. */
const emptyTitlesIn = (source: string): readonly string[] => {
  const file = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments[0] : undefined
    if (title && ts.isStringLiteralLike(title) && !/\p{L}/u.test(title.text.replace(placeholder, '')))
      found.push(`${file.getLineAndCharacterOfPosition(title.getStart(file)).line + 1}: ${title.text}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** Suites beside the tests are called by them, so every file counts. */
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  // The referee of GitHub has packages of its own.
  .filter((name) => !name.includes('node_modules'))
  .filter((name) => name.endsWith('.ts') && name !== 'titles.test.ts')
  .map((name) => [name, readFileSync(join(import.meta.dirname, name), 'utf8')] as const)

describe('a title of a test', () => {
  it('is never a placeholder alone', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(files.flatMap(([name, source]) => emptyTitlesIn(source).map((title) => `${name}:${title}`))).toEqual([])
  })

  it.each([
    ["it.each(cases)('%s', (name) => {})", ['1: %s']],
    ["\ntest.each<[string, number]>([['a', 1]])('%s: %.20s -> %j', () => {})", ['2: %s: %.20s -> %j']],
    ["it.skipIf(slow).each(cases)('$name ($each.1)', () => {})", ['1: $name ($each.1)']],
    ["it('', () => {})", ['1: ']],
  ])('is found to say nothing in %j', (source, expected) => {
    expect(emptyTitlesIn(source)).toEqual(expected)
  })

  it.each([
    "it.each(cases)('reads %s as it is written', () => {})",
    "describe.each(pages)('%s', () => it('has links that lead somewhere', () => {}))",
    "expect(format('%s', 1)).toBe('1')",
  ])('is found to say something in %j', (source) => {
    expect(emptyTitlesIn(source)).toEqual([])
  })
})
