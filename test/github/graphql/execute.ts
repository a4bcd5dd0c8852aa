import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { type Connection, connectionOf, isConnection } from './connection.ts'
import { type Args, GraphqlFault, type GraphqlObject } from './object.ts'
import { type Document, type Executable, type Field, parseGraphql, type Selection, type Value } from './parse.ts'
import { nameOf, problemsOf, types } from './types.ts'

interface GraphqlError {
  readonly message: string
  readonly type?: string
  readonly path?: readonly (string | number)[]
}

interface GraphqlAnswer {
  readonly data?: JsonObject | null
  readonly errors?: readonly GraphqlError[]
  /** What the schema does not allow: nothing was executed. */
  readonly problems: readonly string[]
}

const jsonOf = (value: Value, variables: Args): Json | undefined => {
  if (value.kind === 'variable') return variables[value.name]
  if (value.kind === 'enum') return value.name
  if (value.kind === 'literal') return value.value
  if (value.kind === 'list') return value.items.map((each) => jsonOf(each, variables) ?? null)
  const members = Object.entries(value.members).map(([name, each]) => [name, jsonOf(each, variables)] as const)
  return Object.fromEntries(members.filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

const argsOf = ({ args }: Pick<Field, 'args'>, variables: Args): Args =>
  jsonOf({ kind: 'object', members: args }, variables) as Args

interface Run {
  readonly document: Document
  readonly variables: Args
  readonly errors: GraphqlError[]
}

const isWanted = ({ directives }: Selection, variables: Args): boolean => {
  const condition = (name: string): Json | undefined => {
    const given = directives[name]?.['if']
    return given && jsonOf(given, variables)
  }
  return condition('skip') !== true && condition('include') !== false
}

const fitsType = (typename: string, on: string | undefined): boolean =>
  on === undefined || on === typename || types[on]?.members?.includes(typename) === true

/** The fields that a selection asks of a type, with those of its fragments. */
const fieldsOf = (selection: readonly Selection[], typename: string, run: Run): readonly Field[] =>
  selection
    .filter((each) => isWanted(each, run.variables))
    .flatMap((each) => {
      if (each.kind === 'field') return [each]
      const { on, selection: inner } =
        each.kind === 'inline' ? each : (run.document.fragments.get(each.name) ?? { on: '', selection: [] })
      return fitsType(typename, on) ? fieldsOf(inner, typename, run) : []
    })

/** Against the schema, before anything is done. */
const checkSelection = (selection: readonly Selection[], typename: string, run: Run): readonly string[] =>
  selection.flatMap((each) => {
    if (each.kind !== 'field') {
      const fragment = each.kind === 'inline' ? each : run.document.fragments.get(each.name)
      if (fragment === undefined) return ['a fragment is not defined']
      return checkSelection(fragment.selection, fragment.on ?? typename, run)
    }
    if (each.name === '__typename') return []
    const field = types[typename]?.fields?.[each.name]
    if (field === undefined) return [`Field '${each.name}' doesn't exist on type '${typename}'`]
    const [type, known] = field
    const args = argsOf(each, run.variables)
    const unknown = Object.keys(args).flatMap((name) =>
      name in known ? [] : [`Field '${each.name}' doesn't accept argument '${name}'`],
    )
    const bad = Object.entries(known).flatMap(([name, own]) => problemsOf(own, args[name], `${each.name}(${name})`))
    const isLeaf = types[nameOf(type)]?.fields === undefined && types[nameOf(type)]?.members === undefined
    if (isLeaf !== (each.selection === undefined) && types[nameOf(type)] !== undefined)
      return [`Field '${each.name}' of type ${type} ${isLeaf ? 'has no' : 'must have a'} selection of subfields`]
    return [
      ...unknown,
      ...bad,
      ...(each.selection === undefined ? [] : checkSelection(each.selection, nameOf(type), run)),
    ]
  })

/** Requests that the connections of a query stand for; a hundred of them are a point. */
const requestsOf = (selection: readonly Selection[], typename: string, run: Run, times = 1): number =>
  selection.reduce((sum, each) => {
    if (each.kind !== 'field') {
      const fragment = each.kind === 'inline' ? each : run.document.fragments.get(each.name)
      return sum + requestsOf(fragment?.selection ?? [], fragment?.on ?? typename, run, times)
    }
    const type = nameOf(types[typename]?.fields?.[each.name]?.[0] ?? '')
    const { first, last } = argsOf(each, run.variables)
    const isList = type.endsWith('Connection')
    const inner = isList ? times * Number(first ?? last ?? 1) : times
    return sum + (isList ? times : 0) + requestsOf(each.selection ?? [], type, run, inner)
  }, 0)

type Path = readonly (string | number)[]

const completed = (value: unknown, field: Field, run: Run, path: Path): Json => {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map((each, at) => completed(each, field, run, [...path, at]))
  if (isConnection(value)) {
    const type = value as Connection
    return selected(connectionOf(type, argsOf(field, run.variables), field.name), field.selection ?? [], run, path)
  }
  if (typeof value === 'object' && 'typename' in value)
    return selected(value as GraphqlObject, field.selection ?? [], run, path)
  return value as Json
}

const resolvedField = ({ typename, fields }: GraphqlObject, field: Field, run: Run, path: Path): Json => {
  if (field.name === '__typename') return typename
  const own = fields[field.name]
  if (own === undefined) throw new Error(`the stand-in does not know ${typename}.${field.name}`)
  try {
    const value = typeof own === 'function' ? (own as (args: Args) => unknown)(argsOf(field, run.variables)) : own
    return completed(value, field, run, path)
  } catch (error) {
    if (!(error instanceof GraphqlFault)) throw error
    run.errors.push({ type: error.type, path, message: error.message })
    return null
  }
}

const selected = (object: GraphqlObject, selection: readonly Selection[], run: Run, path: Path): JsonObject =>
  Object.fromEntries(
    fieldsOf(selection, object.typename, run).map((field) => [
      field.alias,
      resolvedField(object, field, run, [...path, field.alias]),
    ]),
  )

const variablesOf = ({ variables }: Executable, sent: Args): Args => {
  const initial = Object.entries(variables).flatMap(([name, { initial: value }]) =>
    value === undefined ? [] : [[name, jsonOf(value, {}) ?? null] as const],
  )
  return { ...Object.fromEntries(initial), ...sent }
}

interface GraphqlRequest {
  readonly query: string
  readonly variables?: Args | null
  readonly operationName?: string | null
}

/**
 * `roots` gives the fields of Query and of Mutation; `costs` hears what the query costs before it is executed:
 * https://docs.github.com/en/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
 */
export const executeGraphql = (
  { query, variables: sent, operationName }: GraphqlRequest,
  roots: Readonly<Record<'query' | 'mutation', Readonly<Record<string, unknown>>>>,
  costs: (points: number) => void,
): GraphqlAnswer => {
  const document = parseGraphql(query)
  const operation = document.operations.find(({ name }) => (operationName ?? name) === name)
  if (operation === undefined) throw new Error('no operation of that name')
  const { kind, selection, variables: declared } = operation
  const run: Run = { document, variables: variablesOf(operation, sent ?? {}), errors: [] }
  const typename = kind === 'query' ? 'Query' : 'Mutation'
  const problems = [
    ...Object.entries(declared).flatMap(([name, { type }]) => problemsOf(type, run.variables[name], `$${name}`)),
    ...checkSelection(selection, typename, run),
  ]
  const cost = Math.max(1, Math.round(requestsOf(selection, typename, run) / 100))
  costs(cost)
  if (problems.length > 0) return { problems, errors: problems.map((message) => ({ message })) }
  const data = selected({ typename, fields: roots[kind] }, selection, run, [])
  return { data, problems, ...(run.errors.length > 0 ? { errors: run.errors } : {}) }
}
