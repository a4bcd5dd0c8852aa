import { toPointer } from '../../../engine/json/pointer.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { isArray, isObject } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { Content, DescribedResponse, Parameter } from './description.ts'
import type { ReadSchema } from './read-schema.ts'
import { membersOf, type Piece, resolvePiece, type Source, textOf } from './resolve-ref.ts'
import { notes } from './words.ts'

export interface Readers {
  readonly source: Source
  readonly schema: ReadSchema
}

const bare = (mediaType: string): string => (mediaType.split(';')[0] ?? '').trim().toLowerCase()

const isJson = (mediaType: string): boolean => {
  const type = bare(mediaType)
  return type === 'application/json' || type === 'text/json' || type === '*/*' || type.endsWith('+json')
}

/** A JSON patch is JSON, but not an object: so the plain forms are preferred. */
const rank = (mediaType: string): number => {
  const type = bare(mediaType)
  if (type === 'application/json') return 0
  if (type === 'application/json-patch+json') return 3
  return isJson(mediaType) ? 1 : 4
}

const best = (mediaTypes: readonly string[]): string | undefined =>
  mediaTypes.toSorted((left, right) => rank(left) - rank(right))[0]

export const readContent = ({ source, schema }: Readers, { node, pointer }: Piece): Content | undefined => {
  const members = new Map(membersOf(source, node['content'], `${pointer}/content`))
  const mediaType = best([...members.keys()])
  if (mediaType === undefined) return undefined
  const at = `${pointer}/content${toPointer([mediaType])}`
  const piece = resolvePiece(source, members.get(mediaType), at)
  const written = piece?.node['schema']
  const own = piece === undefined || written === undefined ? undefined : schema(written, `${piece.pointer}/schema`)
  return { pointer: at, mediaType, isJson: isJson(mediaType), ...defined({ schema: own }) }
}

/** Swagger 2.0 lists the media types apart from the schemas, for the operation or for all. */
const mediaTypeOf = ({ source }: Readers, operation: JsonObject, word: 'consumes' | 'produces'): string => {
  const own = operation[word] ?? source.root[word]
  const list = isArray(own) ? own.filter((one) => typeof one === 'string') : []
  return best(list) ?? 'application/json'
}

export const readAnswers = (readers: Readers, { node, pointer }: Piece): readonly DescribedResponse[] =>
  membersOf(readers.source, node['responses'], `${pointer}/responses`)
    .filter(([status]) => /^([1-5](\d\d|XX)|default)$/i.test(status))
    .map(([status, written]) => {
      const piece = resolvePiece(readers.source, written, `${pointer}/responses/${status}`)
      const content = piece && answerContent(readers, piece, node)
      const headers = isObject(piece?.node['headers']) ? Object.keys(piece.node['headers']) : []
      return {
        status: status === 'default' ? status : status.toUpperCase(),
        ...defined({ content }),
        headers: headers.map((name) => name.toLowerCase()),
      }
    })

const answerContent = (readers: Readers, piece: Piece, operation: JsonObject): Content | undefined => {
  if (readers.source.version !== '2.0') return readContent(readers, piece)
  const isDescribed = piece.node['schema'] !== undefined
  return isDescribed ? oldContent(readers, piece, mediaTypeOf(readers, operation, 'produces')) : undefined
}

const oldContent = ({ schema }: Readers, { node, pointer }: Piece, mediaType: string): Content => {
  const at = `${pointer}/schema`
  return { pointer: at, mediaType, isJson: isJson(mediaType), schema: schema(node['schema'], at) }
}

const places: ReadonlySet<string> = new Set<Parameter['in']>(['path', 'query', 'header', 'cookie'])

/** Returns `undefined` for `body` and `formData` of Swagger 2.0, which are not parameters here. */
export const readParameter = (readers: Readers, piece: Piece): Parameter | undefined => {
  const { source, schema } = readers
  const { node, pointer } = piece
  const name = textOf(node['name'])
  const place = textOf(node['in'])
  if (name === undefined || place === undefined) {
    source.note(pointer, notes.noParameterName)
    return undefined
  }
  if (!places.has(place)) return undefined
  const own =
    node['schema'] === undefined
      ? (readContent(readers, piece)?.schema ?? schema(withoutRequired(node), pointer))
      : schema(node['schema'], `${pointer}/schema`)
  return {
    name,
    in: place as Parameter['in'],
    required: place === 'path' || node['required'] === true,
    schema: own,
  }
}

/** Swagger 2.0: a parameter is its own schema, and its `required` is about the parameter. */
const withoutRequired = (node: JsonObject): JsonObject => {
  const { required: _, ...own } = node
  return own
}

export const readOldBody = (
  readers: Readers,
  parameters: readonly Piece[],
  operation: Piece,
): (Content & { readonly required: boolean }) | undefined => {
  const body = parameters.find(({ node }) => node['in'] === 'body')
  const mediaType = mediaTypeOf(readers, operation.node, 'consumes')
  if (body !== undefined) return { ...oldContent(readers, body, mediaType), required: body.node['required'] === true }
  const form = parameters.filter(({ node }) => node['in'] === 'formData' && typeof node['name'] === 'string')
  if (form.length === 0) return undefined
  const properties: readonly [string, Json][] = form.map(({ node }) => [String(node['name']), withoutRequired(node)])
  const required = form.filter(({ node }) => node['required'] === true).map(({ node }) => String(node['name']))
  const pointer = `${operation.pointer}/parameters`
  const schema = readers.schema({ type: 'object', properties: Object.fromEntries(properties), required }, pointer)
  const formType = isJson(mediaType) ? 'application/x-www-form-urlencoded' : mediaType
  return { pointer, mediaType: formType, isJson: false, schema, required: required.length > 0 }
}
