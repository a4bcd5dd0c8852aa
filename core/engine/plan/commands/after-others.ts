import { fromPointer, mapValue, setAt } from '../../json/pointer.ts'
import type { Command, CommandDraft, PlannedRequest } from '../../schema/command.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Address, ReadResult } from '../../schema/resource.ts'
import { type AfterMark, isLive } from '../../schema/value.ts'
import { splitPlace } from '../../values/addresses/address.ts'
import { partsOf } from '../../values/marks/marks.ts'
import { withoutMembers } from '../../values/members.ts'
import { joinUrl, urlParts, urlWords } from '../../values/url.ts'

/* Several resources may write to one object of the target, each to a part of it. */

type Versions = Readonly<Record<string, Json>>
type Reads = ReadonlyMap<Address, { readonly observed: { readonly result: ReadResult } }>

/** Resources of which another one writes to the same URL, too. */
export const sharingIn = (drafts: ReadonlyMap<Address, readonly CommandDraft[]>): ReadonlySet<Address> => {
  const writers = new Map<string, Set<Address>>()
  for (const [address, own] of drafts)
    for (const draft of own) if (isOnObject(draft)) writers.set(siteOf(draft), writersAt(writers, draft).add(address))
  return new Set([...writers.values()].flatMap((all) => (all.size > 1 ? [...all] : [])))
}

/**
 * A command after one of another resource to the same URL finds what that one left: its body is made of a new read, which need
 * not be all that the plan saw, and its version is read right before.
 */
export const afterOthers = (commands: readonly Command[], reads: Reads): readonly Command[] => {
  const versionsOf = (address: Address): Versions => {
    const { result } = reads.get(address)?.observed ?? {}
    return (result?.kind === 'present' ? result.versions : undefined) ?? {}
  }
  const writers = new Map<string, Set<Address>>()
  return commands.map((command) => {
    if (!isOnObject(command)) return command
    const before = writersAt(writers, command)
    const isLater = [...before].some((address) => address !== command.address)
    writers.set(siteOf(command), before.add(command.address))
    return isLater ? withVersionOfNow(withoutDigest(command), versionsOf(command.address)) : command
  })
}

const writersAt = (writers: ReadonlyMap<string, Set<Address>>, draft: CommandDraft): Set<Address> =>
  writers.get(siteOf(draft)) ?? new Set()

/** A create makes an object of its own, and a POST is about whatever its body says. */
const isOnObject = ({ action, request: { method } }: CommandDraft): boolean => action !== 'create' && method !== 'POST'

const siteOf = ({ request: { url, socket = '' } }: CommandDraft): string =>
  `${socket} ${urlWords(url).replace(/[?#].*$/s, '')}`

const withoutDigest = (command: Command): Command => {
  const { body } = command.request
  if (body === undefined) return command
  const anew = mapValue(body, (value) => (isLive(value) ? withoutMembers(value, ['digest']) : undefined))
  return { ...command, request: { ...command.request, body: anew } }
}

const withVersionOfNow = (command: Command, versions: Versions): Command => {
  const { precondition, request, address } = command
  if (precondition?.kind === 'etag') {
    const { etag, header = 'If-Match', ...seen } = precondition
    const object = nameOf(request, etag, versions)
    return object === undefined ? command : { ...command, precondition: { ...seen, kind: 'chained', object, header } }
  }
  if (precondition?.kind !== 'field') return command
  const { pointer, value, ...seen } = precondition
  const object = nameOf(request, value, versions)
  if (object === undefined) return command
  const then = { $after: address, pointer: `/versions/${object}` }
  return {
    ...command,
    request: withVersion(request, pointer, { value, then }),
    precondition: { ...seen, kind: 'chained', object },
  }
}

/** The part of the object whose version a request has: the one that its body is made of, or one with that version. */
const nameOf = ({ body = null }: PlannedRequest, value: Json, versions: Versions): string | undefined => {
  const names = Object.keys(versions).filter((name) => String(versions[name]) === String(value))
  const made = partsOf(body).flatMap((part) => (isLive(part) ? [splitPlace(part.$live)[1]] : []))
  return names.find((name) => made.includes(name)) ?? names[0]
}

const withVersion = (
  request: PlannedRequest,
  pointer: string,
  { value, then }: { readonly value: Json; readonly then: JsonObject & AfterMark },
): PlannedRequest => {
  const { url, body = null } = request
  if (pointer.startsWith('?')) {
    const text = encodeURIComponent(String(value))
    const parts = urlParts(url).map((part) =>
      typeof part === 'string' && part.endsWith(`=${text}`) ? [part.slice(0, -text.length), then] : [part],
    )
    return { ...request, url: joinUrl(parts.flat()) }
  }
  if (isLive(body)) return { ...request, body: { ...body, with: { ...body.with, [pointer]: then } } }
  if (isArray(body)) {
    const isVersion = (each: Json): boolean => isObject(each) && each['op'] === 'test' && each['path'] === pointer
    return {
      ...request,
      body: body.map((each) => (isVersion(each) ? { op: 'test', path: pointer, value: then } : each)),
    }
  }
  return { ...request, body: setAt(body, fromPointer(pointer), then) }
}
