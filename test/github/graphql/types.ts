import { readFileSync } from 'node:fs'
import type { Json } from '../../../core/engine/schema/json.ts'

/** The extract of GitHub's GraphQL schema; description/extract-graphql.mjs makes it. */

export interface GraphqlType {
  /** The type of each field, and of its arguments. */
  readonly fields?: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>>
  readonly inputs?: Readonly<Record<string, string>>
  readonly values?: readonly string[]
  readonly members?: readonly string[]
}

const text = readFileSync(new URL('../description/graphql.json', import.meta.url), 'utf8')
export const { types } = JSON.parse(text) as { readonly types: Readonly<Record<string, GraphqlType>> }

/** `[Team!]!` without what stands around the name. */
export const nameOf = (type: string): string => type.replaceAll(/[[\]!]/g, '')

const scalars: Readonly<Record<string, (value: Json) => boolean>> = {
  Boolean: (value) => typeof value === 'boolean',
  Int: Number.isInteger,
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string' || Number.isInteger(value),
}

/** What is wrong with a value of an argument or a variable; nothing, if it fits. */
export const problemsOf = (type: string, value: Json | undefined, where: string): readonly string[] => {
  if (type.endsWith('!')) {
    if (value === null || value === undefined) return [`${where} of type ${type} is required`]
    return problemsOf(type.slice(0, -1), value, where)
  }
  if (value === null || value === undefined) return []
  if (type.startsWith('[')) {
    const items = Array.isArray(value) ? value : [value]
    return items.flatMap((each, at) => problemsOf(type.slice(1, -1), each as Json, `${where}[${at}]`))
  }
  const { inputs, values } = types[type] ?? {}
  if (values !== undefined)
    return values.includes(String(value)) ? [] : [`${where}: ${JSON.stringify(value)} is no ${type}`]
  if (inputs === undefined)
    return (scalars[type]?.(value) ?? true) ? [] : [`${where}: ${JSON.stringify(value)} is no ${type}`]
  const sent = value as Readonly<Record<string, Json>>
  return [
    ...Object.keys(sent).flatMap((name) => (name in inputs ? [] : [`${where}: ${type} has no field ${name}`])),
    ...Object.entries(inputs).flatMap(([name, own]) => problemsOf(own, sent[name], `${where}.${name}`)),
  ]
}
