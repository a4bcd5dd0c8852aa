import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Json } from '../../../../core/engine/schema/json.ts'
import { isArray, isObject } from '../../../../core/engine/schema/json.ts'
import { restDocument } from '../../../../core/providers/rest/document/document.ts'
import { documentSchema } from '../../../builders/generated/document-schema.ts'
import { providerReference } from '../../../builders/generated/provider-reference.ts'
import { lawCount, lawRuns } from '../../../builders/laws.ts'
import { eachOf, long } from '../../../builders/long.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

const schema = documentSchema()
// Of two forms of one object each requires members that are described once, for both.
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
ajv.addVocabulary(['markdownDescription'])
const validate = ajv.compile(schema)

const documents = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.provider.yaml'))
  .toSorted()
  .map((path): [string, Json] => [path, parse(read(join('examples', path)), { merge: true })])

/** Every place in a document, as the steps to it. */
const placesOf = (value: Json, above: readonly (string | number)[] = []): readonly (readonly (string | number)[])[] => {
  const inside = isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
  return [above, ...inside.flatMap(([step, member]) => placesOf(member, [...above, step]))]
}

const changedAt = (value: Json, [step, ...rest]: readonly (string | number)[], change: (value: Json) => Json): Json => {
  if (step === undefined) return change(value)
  if (isArray(value)) return value.map((member, index) => (index === step ? changedAt(member, rest, change) : member))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === step ? changedAt(member, rest, change) : member]),
  )
}

const changes: readonly ((value: Json) => Json)[] = [
  () => null,
  () => 7,
  () => '',
  () => 'no such word',
  () => ({}),
  () => [],
  () => [{ unheard: true }],
  (value) => (isObject(value) ? { ...value, unheard: 'of' } : { unheard: 'of' }),
  (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).slice(1)) : true),
  (value) => (isArray(value) ? [...value, ...value, null] : [value]),
]

describe('the schema of provider documents', () => {
  it('is checked with at least one example', () => expect(documents.length).toBeGreaterThan(3))

  it.each(documents)('accepts %s', (_, document) => {
    expect([validate(document), validate.errors]).toEqual([true, null])
  })

  it.each(documents)('reports for %s, changed anywhere, the same as the loader', (_, document) => {
    const places = placesOf(document)
    const refused: unknown[] = []
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.constantFrom(...changes), (place, change) => {
        const changed = changedAt(document, place, change)
        const right = restDocument.safeParse(changed).success
        if (!right) refused.push(place)
        expect([place, validate(changed)]).toEqual([place, right])
      }),
      lawRuns(80),
    )
    expect(refused.length).toBeGreaterThan(lawCount(10))
  })
})

interface Node {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node>>
}

/** Every key of every shape, with what is said of it. */
const keysOf = (node: unknown, path = ''): readonly (readonly [path: string, description: string | undefined])[] => {
  if (typeof node !== 'object' || node === null) return []
  const { properties = {}, ...rest } = node as Node
  return [
    ...Object.entries(properties).flatMap(([key, member]) => [
      [`${path}.${key}`, member.description] as const,
      ...keysOf(member, `${path}.${key}`),
    ]),
    ...Object.entries(rest)
      .filter(([key]) => key !== 'default' && key !== 'examples')
      .flatMap(([key, member]) => keysOf(member, key === '$defs' ? '' : `${path}/${key}`)),
  ]
}

const page = providerReference()

/** Every shape that a key of this name has anywhere; of other names, an attribute's. */
const shapesOf = (name: string, node: unknown = schema): readonly object[] => {
  if (typeof node !== 'object' || node === null) return []
  const own = (node as { properties?: Record<string, object> }).properties?.[name]
  return [...(own === undefined ? [] : [own]), ...Object.values(node).flatMap((inner) => shapesOf(name, inner))]
}
const { $defs } = schema
ajv.addSchema({ $id: 'whole', $defs })
/** The definitions are compiled once: a shape points to them instead of having them in itself. */
const fits = (shape: object, value: unknown): boolean =>
  ajv.compile(JSON.parse(JSON.stringify(shape).replaceAll('"#/$defs/', '"whole#/$defs/')))(value)

const pages = ['rest-provider', 'provider-writes', 'provider-special'].map((name) => read(`docs/${name}.md`)).join('\n')
const pieces = [...pages.matchAll(/```yaml\n(?!# plumbline)(.*?)```/gs)].flatMap(([, text = '']) =>
  Object.entries(parse(text) as Record<string, unknown>),
)

describe('the description of keys in the schema', () => {
  const keys = keysOf(schema)

  it('exists for each key', () => {
    expect(keys.length).toBeGreaterThan(200)
    expect(keys.filter(([, description]) => description === undefined)).toEqual([])
  })

  it('exists for each definition, under a name of its own', () => {
    const nameless = Object.entries($defs ?? {}).filter(
      ([id, { description }]) => /^_/.test(id) || description === undefined,
    )
    expect(nameless).toEqual([])
  })

  it('is on the reference page', () => {
    const lines = page.split('\n').map((line) => [/^\| `([^`]+)`/.exec(line)?.[1]?.split('.').at(-1), line] as const)
    const missing = keys.filter(([path, description = '']) => {
      const said = description.replaceAll('|', '\\|')
      return !lines.some(([key, line]) => key !== undefined && key === path.split(/[./]/).at(-1) && line.includes(said))
    })
    expect(missing).toEqual([])
  })

  it('links to chapters that exist', () => {
    const headings = [...page.matchAll(/^##+ (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    )
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor)
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter((anchor) => !headings.includes(anchor ?? ''))).toEqual([])
    expect(new Set(headings).size).toBe(headings.length)
  })

  it('has examples that fit where they stand', long, () => {
    const tried: string[] = []
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      const { examples = [], ...rest } = node as { examples?: readonly unknown[] }
      if (Array.isArray(examples) && examples.length > 0) {
        for (const example of examples) {
          tried.push(JSON.stringify(example))
          expect([example, fits(rest, example)]).toEqual([example, true])
        }
      }
      for (const [key, member] of Object.entries(rest)) if (key !== 'default') visit(member)
    }
    visit(schema)
    expect(tried.length).toBeGreaterThan(80)
  })

  eachOf(it, 18)(pieces)('is the same in the documentation: %s', (name, value) => {
    const shapes = shapesOf(name)
    const possible = shapes.length === 0 ? [{ $ref: '#/$defs/attribute' }] : shapes
    expect(possible.some((shape) => fits(shape, value))).toBe(true)
  })

  it('is valid for the examples in the documentation', () => expect(pieces.length).toBeGreaterThan(5))
})
