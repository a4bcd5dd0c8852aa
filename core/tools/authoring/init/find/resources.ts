import { defined } from '../../../../engine/values/defined.ts'
import { wordsOf } from '../../../../engine/values/texts/name-words.ts'
import type { DescribedOperation, DescribedPath, Description, Schema } from '../../description/description.ts'
import { withoutSlash } from '../../description/find-operation.ts'
import { answerOf } from '../../description/look-into.ts'
import { reasons } from '../words.ts'
import { itemsPath } from './envelope.ts'
import { singularOf } from './names.ts'
import { postedList } from './posted-list.ts'

export interface Endpoint {
  readonly path: string
  readonly operation: DescribedOperation
}

export interface Candidate {
  /** The path of the collection, or of the object itself. */
  readonly path: string
  /** The words for one object: `pet`, `domain record`. */
  readonly words: readonly string[]
  readonly kind: 'collection' | 'keyed' | 'single'
  /** The parameter that identifies one object; absent for a single object. */
  readonly key?: string
  readonly create: Endpoint
  readonly list?: Endpoint
  readonly retrieve?: Endpoint
  readonly update?: Endpoint
  readonly delete?: Endpoint
  /** True if there is a PUT besides another update. */
  readonly hasPut?: boolean
}

export interface LeftOut {
  readonly path: string
  readonly reason: string
}

export const segmentsOf = (path: string): readonly string[] => withoutSlash(path).split('/').slice(1)
const parameterOf = (segment: string | undefined): string | undefined => /^\{([^{}]+)\}$/.exec(segment ?? '')?.[1]

export const parametersIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]))

/** Groups the paths of a description by resource: collections with their items, objects by key, single objects. */
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
        : itemOf(described, `/${segments.slice(0, -1).join('/')}`, byPath, key)
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

export const wordsOfPath = (path: string): readonly string[] => {
  const last = segmentsOf(path).findLast((segment) => !segment.includes('{'))
  const words = wordsOf(last ?? '')
  return words.map((word, index) => (index === words.length - 1 ? singularOf(word) : word))
}

const itemOf = (
  item: DescribedPath,
  above: string,
  byPath: ReadonlyMap<string, DescribedPath>,
  key: string,
): Candidate | LeftOut | undefined => {
  if (item.operations.size === 0) return undefined
  const collection = byPath.get(above)
  const path = collection?.path ?? item.path
  if (/[?#]/.test(path + item.path)) return { path: item.path, reason: reasons.hasQuery }
  const post = endpoint(collection, 'POST')
  const put = endpoint(item, 'PUT')
  const create = post ?? put
  const words = wordsOfPath(path)
  const retrieve = readable(endpoint(item, 'GET'))
  const shown = [answered(retrieve), answered(post)]
  const list = listOf(collection, words) ?? postedList(byPath.values(), { above, words, shown })
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

const unfitness = ({ operation }: Endpoint): string | undefined => {
  const { body } = operation
  if (body === undefined) return reasons.noRequest(operation.method)
  if (!body.isJson && !isForm(body.mediaType)) return reasons.otherBody(operation.method, body.mediaType)
  if (body.schema === undefined || body.schema.properties().size === 0) {
    return reasons.noRequest(operation.method)
  }
  return undefined
}

export const answered = (one: Endpoint | undefined): Schema | undefined => one && answerOf(one.operation)

const readable = (one: Endpoint | undefined): Endpoint | undefined => {
  const schema = answered(one)
  return schema !== undefined && schema.types.length > 0 && !schema.types.includes('object') ? undefined : one
}

const listOf = (collection: DescribedPath | undefined, words: readonly string[]): Endpoint | undefined => {
  const list = endpoint(collection, 'GET')
  const answer = answered(list)
  // An answer without a schema may contain the list anywhere, so the draft asks.
  return answer !== undefined && itemsPath(answer, words) === undefined ? undefined : list
}

/** Finds one object at a path of its own, read and written whole or in part: settings. */
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

/** Adds the other path that creates objects of the same schema. */
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
