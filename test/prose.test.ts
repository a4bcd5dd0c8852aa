import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { eachOf } from './builders/long.ts'

const root = join(import.meta.dirname, '..')

/** Rooms of core that are prose throughout, or have none; in every other one the sentences are in `words.ts`. */
const otherRooms: Readonly<Record<string, string>> = {
  'core/pages/render': 'makes the prose of reports',
  'core/pages/tofu': 'makes the prose of its own reports',
  'core/engine/schema': 'describes shapes, for the reference and for editors',
}

/** The messages of error codes are a table of their own. */
const isErrorTable = (file: string): boolean => /^core\/engine\/errors\/error-table[\w-]*\.ts$/.test(file)

const foldersIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)

/** Rules of these rooms give a code, a place and facts. Every file is looked at, whatever a text in it is used for. */
const rooms = foldersIn('core')
  .flatMap(foldersIn)
  .filter((room) => otherRooms[room] === undefined)

/** Calls whose texts describe a shape, for the reference and for editors, or are a list of single words. */
const describing: ReadonlySet<string> = new Set([
  'chapter',
  'described',
  'meta',
  'objectChapter',
  'optional',
  'wordList',
  'words',
])

/** Made from YAML files, whose descriptions are the words of docs/github-reference.md. */
const made: ReadonlySet<string> = new Set(['core/providers/github/document.ts'])

/** Three words in a row are a part of a sentence; a name, a path, a key or a YAML form has fewer. */
const sentence = /(?:^|[^\w])(?:[A-Za-z][a-z']*[,;:]? ){2}[a-z]+/

const calledBy = ({ expression }: ts.CallExpression): string => {
  if (ts.isIdentifier(expression)) return expression.text
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : ''
}

/** Texts of a file that hold a part of a sentence, as `line: text`. */
const proseIn = (source: string): readonly string[] => {
  const file = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && describing.has(calledBy(node))) return
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (isText && sentence.test(node.text))
      found.push(`${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}: ${node.text}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const filesOf = (room: string): readonly string[] =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(room, name))

const readIn = (file: string): readonly string[] => proseIn(readFileSync(join(root, file), 'utf8'))

describe('sentences are in words.ts', () => {
  it('files beside the rooms have none', () => {
    const files = ['core', ...foldersIn('core')].flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map(({ name }) => `${folder}/${name}`),
    )
    expect(files).toContain('core/index.ts')
    expect(files.flatMap(readIn)).toEqual([])
  })

  it('the other rooms exist', () => {
    for (const room of Object.keys(otherRooms)) expect(filesOf(room)).not.toEqual([])
  })

  eachOf(it, 2)(rooms)('%s has no sentence outside of words.ts', (room) => {
    const files = filesOf(room).filter((file) => !/\/words\.ts$/.test(file) && !made.has(file) && !isErrorTable(file))
    expect(files.length).toBeGreaterThan(0)
    expect(files.flatMap((file) => readIn(file).map((text) => `${file}:${text}`))).toEqual([])
  })

  it('words.ts has them', () => {
    const words = rooms.flatMap(filesOf).filter((file) => file.endsWith('/words.ts'))
    expect(words.length).toBeGreaterThan(5)
    for (const file of words) expect(readIn(file)).not.toEqual([])
  })

  it.each([
    ["report(path, { message: 'this is not valid', fix })", ['1: this is not valid']],
    ['\nreport(path, `${name} is not here`)', ['2:  is not here']],
    ['problem(`there is no ${name}`)', ['1: there is no ']],
    ["const fix = found ? 'remove it' : 'write it out'", ['1: write it out']],
    ["z.string().regex(/x/, 'use letters and digits')", ['1: use letters and digits']],
    ["throw new AppError('USAGE', { detail: `no type, no name: ${name}` })", ['1: no type, no name: ']],
  ])('a planted sentence is seen: %s', (source, expected) => {
    expect(proseIn(source)).toEqual(expected)
  })

  it.each([
    "import { a } from './a b.ts'",
    "described(shape, 'What a key means to people.')",
    "const words = wordList('name slug username login')",
    "report(path, say('noResource', address))",
    'const text = `${method} ${path}: ${code}`',
    "const form = '{ header: Location }'",
    '// a comment is a sentence, and stays where it is',
    'const pattern = /one of these words/',
  ])('is no sentence: %s', (source) => {
    expect(proseIn(source)).toEqual([])
  })
})
