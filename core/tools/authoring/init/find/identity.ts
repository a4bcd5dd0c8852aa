import { defined, present } from '../../../../engine/values/defined.ts'
import { plainWord, soundsSecret, wordList } from '../../../../engine/values/texts/name-words.ts'
import type { Schema } from '../../description/description.ts'
import { isScalar } from '../../description/look-into.ts'
import { questions, reasons } from '../words.ts'
import type { Candidate } from './resources.ts'

export interface Identity {
  /** The property that distinguishes objects; absent if only the parameter of the path does. */
  readonly property?: string
  /** The property of answers that shows the parameter of the path, where no request has it. */
  readonly shownAs?: string
  /** Its place, if it is inside another member of the request. */
  readonly place?: string
  /** Who chooses the value in the path. */
  readonly chosenBy: 'client' | 'server'
  /** The property of an answer that fills the path, if the server chooses it. */
  readonly idProperty?: string
  readonly comments: readonly string[]
}

/** Names of naming properties, the most likely first. */
const nameWords = wordList(`
  name slug username login email key title label hostname host domain domainname fqdn code
  identifier externalid displayname fullname summary subject path url address number prefix description
`)
export const usualId = 'id'
const idWords = wordList('id uuid guid uid number iid key slug name code')

const isWritable = (schema: Schema): boolean => !schema.readOnly && isScalar(schema)

/** Returns the property that a path parameter means: its own name, or the rest without the resource's name. */
const propertyFor = (key: string, words: readonly string[], schema: Schema | undefined): string | undefined => {
  if (schema === undefined) return undefined
  const wanted = plainWord(key)
  const owner = words.join('')
  const last = words.at(-1) ?? ''
  const short = [owner, last]
    .filter((word) => word !== '' && wanted.startsWith(word))
    .map((word) => wanted.slice(word.length))
  const generic = idWords.filter((word) => wanted === word || wanted.endsWith(word))
  const names = [...schema.properties()]
    .filter(([, one]) => isScalar(one) || one.types.length === 0)
    .map(([name]) => name)
  for (const word of [wanted, ...short, ...generic, owner]) {
    const found = names.find((name) => plainWord(name) === word)
    if (found !== undefined && word !== '') return found
  }
  return undefined
}

const isLikelyServerMade = (property: string): boolean =>
  /(^|u|gu|i|u)id$|id$/.test(plainWord(property)) && !plainWord(property).startsWith('external')

/** An id is a text or a number. `undefined` if the answer has no such member. */
const mayBeId = (schema: Schema | undefined, property: string): boolean | undefined => {
  const member = schema?.properties().get(property)
  return member === undefined ? undefined : isScalar(member) || member.types.length === 0
}

const serverId = (
  key: string,
  words: readonly string[],
  answers: readonly (Schema | undefined)[],
): string | undefined => {
  for (const schema of answers) {
    const found = propertyFor(key, words, schema) ?? idWords.slice(0, 5).find((word) => mayBeId(schema, word))
    if (found !== undefined && answers.every((answer) => mayBeId(answer, found) !== false)) return found
  }
  return undefined
}

/** Returns the property by which each answer shows what the client has chosen in the path, and which no request sets. */
const shownIn = (
  key: string,
  words: readonly string[],
  { request, answers }: { readonly request: Schema; readonly answers: readonly Schema[] },
): string | undefined => {
  const usual = answers.map((schema) => propertyFor(key, words, schema) ?? usualId)
  const isSet = (property: string): boolean => request.properties().get(property)?.readOnly === false
  return usual.find((property) => answers.every((schema) => mayBeId(schema, property)) && !isSet(property))
}

/** Returns a property of the request, and of the listed objects, whose name sounds unique. */
const nameOf = (words: readonly string[], request: Schema, item: Schema | undefined): string | undefined => {
  const shown = (name: string): boolean =>
    item === undefined || item.properties().size === 0 || item.properties().has(name)
  const usable = [...request.properties()].filter(
    ([name, one]) => isWritable(one) && !soundsSecret(name) && shown(name),
  )
  const owner = words.join('')
  const wanted = nameWords.flatMap((word) => [word, `${owner}${word}`, `${words.at(-1) ?? ''}${word}`])
  const known = wanted.map((word) => usable.find(([name]) => plainWord(name) === word)).find((one) => one !== undefined)
  if (known !== undefined) return known[0]
  const demanded = usable.find(([name, { types }]) => request.required.has(name) && types.includes('string'))
  return (demanded ?? usable.find(([, { types }]) => types.includes('string')) ?? usable[0])?.[0]
}

/** Finds a member of the same name one level below: `metadata.name` for `{name}`. */
const placeBelow = (key: string, request: Schema): string | undefined => {
  const found = [...request.properties()].filter(([outer, { types, properties }]) => {
    const inner = properties().get(key)
    return /^\w+$/.test(outer) && types.includes('object') && inner !== undefined && isWritable(inner)
  })
  const [only] = found
  return only === undefined || found.length > 1 || !/^\w+$/.test(key) || isLikelyServerMade(key)
    ? undefined
    : `${only[0]}.${key}`
}

export const chooseIdentity = (
  { kind, key, words }: Candidate,
  {
    request,
    change,
    created,
    read,
    item,
  }: Readonly<Record<'request', Schema>> & Readonly<Partial<Record<'change' | 'created' | 'read' | 'item', Schema>>>,
): Identity | { readonly reason: string } => {
  if (kind === 'single' || key === undefined) return { chosenBy: 'client', comments: [] }
  const own = propertyFor(key, words, request)
  const ownSchema = own === undefined ? undefined : request.properties().get(own)
  const isOwn = own !== undefined && ownSchema !== undefined && isWritable(ownSchema) && mayBeId(change, own) !== false
  if (kind === 'keyed') {
    const shownAs = isOwn ? undefined : shownIn(key, words, { request, answers: present(read, item) })
    return { ...defined({ property: isOwn ? own : undefined, shownAs }), chosenBy: 'client', comments: [] }
  }
  const isChosen = isOwn && (!isLikelyServerMade(own) || request.required.has(own))
  if (isChosen) return { property: own, chosenBy: 'client', comments: [] }
  const place = own === undefined ? placeBelow(key, request) : undefined
  if (place !== undefined) return { place, chosenBy: 'client', comments: [] }
  const property = nameOf(words, request, item)
  if (property === undefined) return { reason: reasons.noIdentity }
  const answers = [item, read, created]
  const idProperty = serverId(key, words, answers)
  // Without such a member the draft asks about `id`; this is not possible if `id` has another type.
  if (idProperty === undefined && answers.some((answer) => mayBeId(answer, usualId) === false))
    return { reason: reasons.noServerId(key) }
  return {
    property,
    chosenBy: 'server',
    ...defined({ idProperty }),
    comments: present(questions.unique(key, property), idProperty === undefined && questions.serverId(key)),
  }
}
