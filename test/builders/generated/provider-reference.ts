import { stringify } from 'yaml'
import { documentSchema } from './document-schema.ts'

/*
 * docs/provider-reference.md, from the schema of provider documents. A definition with a title is a chapter; all others
 * are words. Objects that are no chapter are spelled out in the chapter that holds them, under dotted keys.
 */

/** As much of JSON Schema as the shapes of documents make. */
interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly const?: unknown
  readonly not?: Schema
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | false
  readonly propertyNames?: Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Row {
  readonly key: string
  readonly schema: Schema
  readonly required: boolean
}

const root = documentSchema() as Schema
const definitions = root.$defs ?? {}

const idOf = ({ $ref }: Schema): string | undefined => $ref?.replace('#/$defs/', '')
const chapterOf = (schema: Schema): string | undefined => {
  const id = idOf(schema)
  return id !== undefined && definitions[id]?.title !== undefined ? id : undefined
}
const anchor = (title: string): string => title.toLowerCase().replaceAll(' ', '-')
const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trim()
const code = (value: unknown): string => `\`${flow(value)}\``
const unique = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)]
const variableOf = ({ propertyNames }: Schema): string =>
  propertyNames === undefined || idOf(propertyNames) === undefined ? '<key>' : `<${idOf(propertyNames)}>`

/** What is inside of a value, with what its key is followed by: forms, elements, members. */
const insides = (schema: Schema): readonly { readonly suffix: string; readonly schema: Schema }[] => [
  ...(schema.anyOf ?? []).map((form) => ({ suffix: '', schema: form })),
  ...(schema.items === undefined ? [] : [{ suffix: '[]', schema: schema.items }]),
  ...(schema.additionalProperties === undefined || schema.additionalProperties === false
    ? []
    : [{ suffix: `.${variableOf(schema)}`, schema: schema.additionalProperties }]),
]

const requires = ({ required = [] }: Schema, key: string): boolean => required.includes(key)

/** Of several forms of an object, whether this one must hold what not all of them must. */
const isChoice = (forms: readonly Schema[], key: string): boolean =>
  forms.length > 1 && !forms.every((form) => requires(form, key))

/** The keys of an object and of all that is spelled out with it. What only one of several `forms` demands is a choice. */
const rowsOf = (schema: Schema, prefix = '', forms: readonly Schema[] = []): readonly Row[] => {
  if (idOf(schema) !== undefined) return []
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]): readonly Row[] => {
    const key = prefix === '' ? name : `${prefix}.${name}`
    return [{ key, schema: member, required: requires(schema, name) && !isChoice(forms, name) }, ...rowsOf(member, key)]
  })
  const objects = (schema.anyOf ?? []).filter(({ properties }) => properties !== undefined)
  return [...own, ...insides(schema).flatMap((inner) => rowsOf(inner.schema, `${prefix}${inner.suffix}`, objects))]
}

/** The chapters that a value leads to, with what its key is followed by. */
const leadsTo = (schema: Schema, suffix = ''): readonly (readonly [id: string, suffix: string])[] => {
  const id = chapterOf(schema)
  if (id !== undefined) return [[id, suffix]]
  return insides(schema).flatMap((inner) => leadsTo(inner.schema, `${suffix}${inner.suffix}`))
}

/** Every chapter in the order in which a reader meets it, with all places where it holds; the first is its own. */
const chapters = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>()
  const visit = (schema: Schema, path: string): void => {
    for (const row of rowsOf(schema))
      for (const [id, suffix] of leadsTo(row.schema)) {
        const place = `${path === '' ? '' : `${path}.`}${row.key}${suffix}`
        const places = found.get(id)
        if (places === undefined) found.set(id, [place])
        if (places === undefined) visit(definitions[id] ?? {}, place)
        else if (!places.some((known) => place.startsWith(known))) places.push(place)
      }
  }
  visit(root, '')
  return found
}

const names: Readonly<Record<string, string>> = { integer: 'whole number', null: '`null`', string: 'text' }

const inner = (schema: Schema): string => {
  const type = typeOf(schema)
  return / or |, /.test(type) ? `(${type})` : type
}

const typeOf = (schema: Schema): string => {
  const id = idOf(schema)
  if (id !== undefined) {
    const title = definitions[id]?.title
    return title === undefined ? `[${id}](#words)` : `[${id}](#${anchor(title)})`
  }
  if (schema.const !== undefined) return code(schema.const)
  if (schema.not?.const === false) return code(true)
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ')
  if (schema.anyOf !== undefined) return unique(schema.anyOf.map(typeOf)).join(' or ')
  if (schema.items !== undefined) return `list of ${inner(schema.items)}`
  if (schema.properties !== undefined) return 'object'
  if (typeof schema.additionalProperties === 'object')
    return `map of ${inner(schema.additionalProperties)}, by ${variableOf(schema).slice(1, -1)}`
  return [schema.type ?? 'any']
    .flat()
    .map((type) => names[type] ?? type)
    .join(' or ')
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const lineOf = ({ key, schema, required }: Row): string => {
  const examples = schema.const === undefined ? (schema.examples ?? []) : []
  const shown = examples.length === 0 ? '' : ` <br>Example: ${examples.map(code).join(', ')}`
  const fallback = schema.default === undefined ? (required ? '**required**' : '') : code(schema.default)
  return `| ${[`\`${key}\``, typeOf(schema), fallback, `${schema.description ?? ''}${shown}`].map(cell).join(' | ')} |`
}

const table = (schema: Schema): readonly string[] => [
  '| key | type | default | meaning |',
  '|---|---|---|---|',
  ...unique(rowsOf(schema).map(lineOf)),
]

/** The member whose value tells the forms apart, where there is one. */
const formOf = (schema: Schema): string | undefined => {
  const [name, member] =
    Object.entries(schema.properties ?? {}).find(([, { const: value }]) => value !== undefined) ?? []
  return name === undefined ? undefined : `${name}: ${flow(member?.const)}`
}

const tables = (schema: Schema): readonly string[] => {
  const forms = schema.anyOf ?? []
  if (forms.length === 0 || forms.some((form) => formOf(form) === undefined)) return table(schema)
  return forms.flatMap((form) => [`### \`${formOf(form)}\``, '', ...table(form), ''])
}

const chapter = (id: string, places: readonly string[]): readonly string[] => {
  const schema = definitions[id] ?? {}
  const where = places.map((place) => `\`${place}\``).join(', ')
  return [`## ${schema.title}`, '', `At ${where}. ${schema.description}`, '', ...tables(schema), '']
}

const words = Object.entries(definitions).filter(([, { title }]) => title === undefined)

const wordLine = (word: string, schema: Schema): string =>
  `| ${[`\`${word}\``, typeOf(schema), schema.description ?? ''].map(cell).join(' | ')} |`

export const providerReference = (): string => {
  const all = [...chapters()]
  return [
    '# Provider documents: every key',
    '',
    '[rest-provider.md](rest-provider.md) explains how documents work; this page lists every key. `npm run generate` makes it',
    'from the code, and [provider.schema.json](provider.schema.json), with which editors complete and explain the keys.',
    '',
    ...all.map(([id, [place = '']]) => {
      const title = definitions[id]?.title ?? id
      return `- [${title}](#${anchor(title)}): \`${place}\``
    }),
    '- [Words](#words)',
    '',
    '## Document',
    '',
    ...table(root),
    '',
    ...all.flatMap(([id, places]) => chapter(id, places)),
    '## Words',
    '',
    '| word | type | meaning |',
    '|---|---|---|',
    ...words.flatMap(([id, word]) => [
      wordLine(id, word),
      ...rowsOf(word, id).map(({ key, schema }) => wordLine(key, schema)),
    ]),
    '',
  ].join('\n')
}
