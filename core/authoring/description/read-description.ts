import { toPointer } from '../../json/pointer.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import type { DescribedOperation, DescribedPath, Method, Parameter, Reading } from './description.ts'
import { parseText } from './parse-text.ts'
import { readSecurity, readServers } from './read-access.ts'
import { type Readers, readAnswers, readContent, readOldBody, readParameter } from './read-content.ts'
import { schemaReader } from './read-schema.ts'
import { membersOf, openSource, type Piece, resolvePiece, type Source, textOf } from './resolve-ref.ts'
import { notes, unreadable } from './words.ts'

export type ReadResult =
  | { readonly ok: true; readonly reading: Reading }
  | { readonly ok: false; readonly message: string }

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Reads an OpenAPI description. Never throws: what is wrong in a part is noted, and the rest is read. */
export const readDescription = (text: string): ReadResult => {
  const parsed = parseText(text)
  if (!parsed.ok) return parsed
  const version = versionOf(parsed.value)
  if (version === undefined || !isObject(parsed.value)) {
    return { ok: false, message: unreadable.noVersion }
  }
  const source = openSource(parsed.value, version)
  const readers: Readers = { source, schema: schemaReader(source) }
  const info = source.root['info']
  const description = {
    version,
    title: (isObject(info) ? textOf(info['title']) : undefined) ?? '',
    servers: readServers(source),
    paths: membersOf(source, source.root['paths'], '/paths')
      .filter(([path]) => path.startsWith('/'))
      .map(([path, item]) => readPath(readers, path, item)),
    security: readSecurity(source),
  }
  return { ok: true, reading: { description, notes: source.notes } }
}

/** A later 3.x is read as 3.1. */
const versionOf = (value: Json): Source['version'] | undefined => {
  if (!isObject(value)) return undefined
  const { swagger, openapi } = value
  if (swagger !== undefined && Number.parseFloat(String(swagger)) === 2) return '2.0'
  if (openapi === undefined || !/^3(\.|$)/.test(String(openapi))) return undefined
  return /^3(\.0|$)/.test(String(openapi)) ? '3.0' : '3.1'
}

const readPath = (readers: Readers, path: string, written: Json): DescribedPath => {
  const pointer = `/paths${toPointer([path])}`
  const item = resolvePiece(readers.source, written, pointer)
  const operations = methods.flatMap((method): [Method, DescribedOperation][] => {
    const own = item?.node[method.toLowerCase()]
    if (item === undefined || own === undefined) return []
    const piece = resolvePiece(readers.source, own, `${item.pointer}/${method.toLowerCase()}`)
    return piece === undefined ? [] : [[method, readOperation(readers, method, item, piece)]]
  })
  return { path, operations: new Map(operations) }
}

const readOperation = (readers: Readers, method: Method, item: Piece, piece: Piece): DescribedOperation => {
  const { pointer } = piece
  const pieces = [...parametersOf(readers, item), ...parametersOf(readers, piece)]
  const body = readers.source.version === '2.0' ? readOldBody(readers, pieces, piece) : readBody(readers, piece)
  return {
    method,
    pointer,
    parameters: unlike(pieces.flatMap((one) => readParameter(readers, one) ?? [])),
    ...defined({ body }),
    answers: readAnswers(readers, piece),
  }
}

const parametersOf = (readers: Readers, { node, pointer }: Piece): readonly Piece[] => {
  const written = node['parameters']
  if (written === undefined) return []
  if (!isArray(written)) {
    readers.source.note(`${pointer}/parameters`, notes.noList)
    return []
  }
  return written.flatMap((one, index) => resolvePiece(readers.source, one, `${pointer}/parameters/${index}`) ?? [])
}

/** What an operation says of a parameter replaces what its path says. */
const unlike = (parameters: readonly Parameter[]): readonly Parameter[] =>
  parameters.filter(
    (one, index) => !parameters.slice(index + 1).some((other) => other.name === one.name && other.in === one.in),
  )

const readBody = (readers: Readers, { node, pointer }: Piece): DescribedOperation['body'] => {
  const piece = resolvePiece(readers.source, node['requestBody'], `${pointer}/requestBody`)
  const content = piece && readContent(readers, piece)
  return content && { ...content, required: (piece.node as JsonObject)['required'] === true }
}
