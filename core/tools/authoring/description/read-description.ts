import { parseDocument } from 'yaml'
import { toPointer } from '../../../engine/json/pointer.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import { isArray, isObject } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { DescribedOperation, DescribedPath, Method, Parameter, Reading } from './description.ts'
import { readSecurity, readServers } from './read-access.ts'
import { type Readers, readAnswers, readContent, readOldBody, readParameter } from './read-content.ts'
import { schemaReader } from './read-schema.ts'
import { membersOf, openSource, type Piece, resolvePiece, type Source, textOf } from './resolve-ref.ts'
import { notes, unreadable } from './words.ts'

export type ReadResult =
  | { readonly ok: true; readonly reading: Reading }
  | { readonly ok: false; readonly message: string }

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Never throws: an error in a part is noted, and the rest is read. */
export const readDescription = (text: string): ReadResult => {
  const parsed = parseText(text)
  if ('message' in parsed) return { ok: false, ...parsed }
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

const unlike = (parameters: readonly Parameter[]): readonly Parameter[] =>
  parameters.filter(
    (one, index) => !parameters.slice(index + 1).some((other) => other.name === one.name && other.in === one.in),
  )

const readBody = (readers: Readers, { node, pointer }: Piece): DescribedOperation['body'] => {
  const piece = resolvePiece(readers.source, node['requestBody'], `${pointer}/requestBody`)
  const content = piece && readContent(readers, piece)
  return content && { ...content, required: (piece.node as JsonObject)['required'] === true }
}

type ParsedText = { readonly value: Json } | { readonly message: string }

/** The limit of YAML aliases: a description needs few, and each use of an alias is a copy to walk. */
const maxAliasCount = 10_000

/** Parses JSON, or else YAML. Repeated keys are accepted: descriptions are generated, and often wrong. */
const parseText = (text: string): ParsedText => {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  const parsed = parseAsJson(plain)
  return parsed === undefined ? parseAsYaml(plain) : { value: parsed }
}

const parseAsJson = (text: string): Json | undefined => {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    // The text may be YAML; if not, the YAML parser reports the error.
    return undefined
  }
}

const parseAsYaml = (text: string): ParsedText => {
  try {
    const document = parseDocument(text, { uniqueKeys: false, strict: false, logLevel: 'silent', prettyErrors: false })
    const [error] = document.errors
    if (error !== undefined) return { message: unreadable.syntax(text.slice(0, error.pos[0]).split('\n').length) }
    const value: unknown = document.toJS({ maxAliasCount })
    // YAML values that JSON lacks (infinities, big numbers) become null or text.
    return { value: JSON.parse(JSON.stringify(value ?? null)) as Json }
  } catch {
    // Both functions recurse, so a deep document exhausts the stack. Aliases of aliases end here too.
    return { message: unreadable.tooDeep }
  }
}
