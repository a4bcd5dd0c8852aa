import { defined } from '../../../../engine/values/defined.ts'
import { wordsOf } from '../../../../engine/values/texts/name-words.ts'
import type { DescribedOperation, DescribedPath, Description, Schema } from '../../description/description.ts'
import { withoutSlash } from '../../description/find-operation.ts'
import { answerOf } from '../../description/look-into.ts'
import { reasons } from '../words.ts'
import { itemsPath } from './envelope.ts'
import { singularOf } from './names.ts'

/** An operation and the path that it is called under. */
export interface Endpoint {
  readonly path: string
  readonly operation: DescribedOperation
}

/** Paths that look like one type of object. */
export interface Candidate {
  /** Where it is: the collection's path, or the object's own. */
  readonly path: string
  /** Its words, for one of them: `pet`, `domain record`. */
  readonly words: readonly string[]
  readonly kind: 'collection' | 'keyed' | 'single'
  /** The parameter that names one object; none for a single one. */
  readonly key?: string
  readonly create: Endpoint
  readonly list?: Endpoint
  readonly retrieve?: Endpoint
  readonly update?: Endpoint
  readonly delete?: Endpoint
  /** Beside another update. */
  readonly hasPut?: boolean
}

export interface LeftOut {
  readonly path: string
  readonly reason: string
}

export const segmentsOf = (path: string): readonly string[] => withoutSlash(path).split('/').slice(1)
const parameterOf = (segment: string | undefined): string | undefined => /^\{([^{}]+)\}$/.exec(segment ?? '')?.[1]

/** Parameters of a path, in order. */
export const parametersIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]))

/** The paths of a description grouped to what they manage: collections with their items, objects by key, single objects. */
export const findResources = (description: Description) => {
  const byPath = new Map(description.paths.map((path) => [withoutSlash(path.path), path]))
  const candidates: Candidate[] = []
  const leftOut: LeftOut[] = []
  for (const [path, described] of byPath) {
    const segments = segmentsOf(path)
    const key = parameterOf(segments.at(-1))
    const outcome =
      key === undefined
        ? singleOf(described, byPath)
        : itemOf(described, byPath.get(`/${segments.slice(0, -1).join('/')}`), key)
    if (outcome === undefined) continue
    if ('reason' in outcome) leftOut.push(outcome)
    else candidates.push(outcome)
  }
  return { candidates, leftOut: leftOut.map((one) => withHint(one, description)) }
}

const endpoint = (
  path: DescribedPath | undefined,
  ...methods: DescribedOperation['method'][]
): Endpoint | undefined => {
  const operation = methods.map((method) => path?.operations.get(method)).find((one) => one !== undefined)
  return path === undefined || operation === undefined ? undefined : { path: path.path, operation }
}

/** Words of the last part of a path that is no parameter. */
export const wordsOfPath = (path: string): readonly string[] => {
  const last = segmentsOf(path).findLast((segment) => !segment.includes('{'))
  const words = wordsOf(last ?? '')
  return words.map((word, index) => (index === words.length - 1 ? singularOf(word) : word))
}

const itemOf = (
  item: DescribedPath,
  collection: DescribedPath | undefined,
  key: string,
): Candidate | LeftOut | undefined => {
  if (item.operations.size === 0) return undefined
  const path = collection?.path ?? item.path
  if (/[?#]/.test(path + item.path)) return { path: item.path, reason: reasons.hasQuery }
  const post = endpoint(collection, 'POST')
  const put = endpoint(item, 'PUT')
  const create = post ?? put
  const words = wordsOfPath(path)
  const list = listOf(collection, words)
  const retrieve = readable(endpoint(item, 'GET'))
  const unfit = create === undefined ? reasons.noCreate : unfitness(create)
  if (unfit !== undefined || create === undefined) return { path: item.path, reason: unfit ?? '' }
  if (retrieve === undefined && list === undefined) return { path: item.path, reason: reasons.noRead }
  const update = [endpoint(item, 'PATCH'), put, post === undefined ? undefined : endpoint(item, 'POST')].find(
    (one) => one !== undefined && unfitness(one) === undefined && !one.operation.body?.mediaType.includes('json-patch'),
  )
  const remove = endpoint(item, 'DELETE')
  return {
    path,
    words,
    kind: post === undefined ? 'keyed' : 'collection',
    key,
    create,
    ...defined({
      list,
      retrieve,
      update,
      delete: remove,
      hasPut: put === undefined || update === put ? undefined : true,
    }),
  }
}

export const isForm = (mediaType: string): boolean => mediaType.startsWith('application/x-www-form-urlencoded')

/** Why a write cannot be one of an object's. */
const unfitness = ({ operation }: Endpoint): string | undefined => {
  const { body } = operation
  if (body === undefined) return reasons.noRequest(operation.method)
  if (!body.isJson && !isForm(body.mediaType)) return reasons.otherBody(operation.method, body.mediaType)
  if (body.schema === undefined || body.schema.properties().size === 0) {
    return reasons.noRequest(operation.method)
  }
  return undefined
}

/** The schema of its response. */
export const answered = (one: Endpoint | undefined): Schema | undefined => one && answerOf(one.operation)

/** A read whose answer may be an object. */
const readable = (one: Endpoint | undefined): Endpoint | undefined => {
  const schema = answered(one)
  return schema !== undefined && schema.types.length > 0 && !schema.types.includes('object') ? undefined : one
}

const listOf = (collection: DescribedPath | undefined, words: readonly string[]): Endpoint | undefined => {
  const list = endpoint(collection, 'GET')
  const answer = answered(list)
  // An answer without a schema may hold the list anywhere: the draft asks.
  return answer !== undefined && itemsPath(answer, words) === undefined ? undefined : list
}

/** One object at a path of its own, read and written whole or in part: settings of something. */
const singleOf = (
  described: DescribedPath,
  byPath: ReadonlyMap<string, DescribedPath>,
): Candidate | LeftOut | undefined => {
  const retrieve = endpoint(described, 'GET')
  const update = endpoint(described, 'PATCH', 'PUT')
  const hasItems = [...byPath.keys()].some(
    (path) =>
      path.startsWith(`${withoutSlash(described.path)}/{`) && !path.slice(described.path.length + 1).includes('/'),
  )
  if (retrieve === undefined || update === undefined || hasItems || described.operations.has('POST')) return undefined
  const answer = answered(retrieve)
  if (answer !== undefined && !answer.types.includes('object')) return undefined
  if (/[?#]/.test(described.path)) return { path: described.path, reason: reasons.hasQuery }
  const create = endpoint(described, 'PUT') ?? update
  const unfit = unfitness(create) ?? unfitness(update)
  if (unfit !== undefined) return { path: described.path, reason: unfit }
  const remove = endpoint(described, 'DELETE')
  return {
    path: described.path,
    words: wordsOfPath(described.path),
    kind: 'single',
    create,
    retrieve,
    update,
    ...defined({ delete: remove }),
  }
}

/** Where another path makes objects of the same schema, it is named. */
const withHint = (one: LeftOut, description: Description): LeftOut => {
  if (one.reason !== reasons.noCreate) return one
  const own = description.paths.find(({ path }) => path === one.path)
  const name = answered(endpoint(own, 'GET'))?.name
  if (name === undefined) return one
  const maker = description.paths.find(
    (path) => path.path !== one.path && answered(endpoint(path, 'POST'))?.name === name,
  )
  return maker === undefined ? one : { ...one, reason: reasons.createdElsewhere(maker.path) }
}
