import { putAt } from '../../command/live-object.ts'
import type { CommandDraft, PlannedRequest } from '../../schema/command.ts'
import type { Json } from '../../schema/json.ts'
import { isArray, isObject, toPointer } from '../../schema/json.ts'
import { withParameter } from '../../schema/url.ts'
import { holdsLive, isAfter, isLive, isMark } from '../../schema/value.ts'
import { type Lock, readOp } from './document.ts'
import type { Operation } from './document-operation.ts'
import type { Part } from './document-part.ts'
import type { Building } from './draft.ts'
import { placeOf, spell } from './template.ts'

/** A write before it is known which writes come before it. */
export interface Write {
  readonly draft: CommandDraft
  readonly operation: Operation
  /** Whose read tells the version. */
  readonly part?: Part
}

/**
 * Gives each write of one object the version that it is about. Our own writes change it: from the second on it is what is
 * read right before. `isNew`: the object is made by a command before these.
 */
export const lockCommands = (building: Building, writes: readonly Write[], isNew = false): readonly CommandDraft[] => {
  // A version stands for one URL; what other reads show is compared once, before the first write without one.
  let isCompared = isNew
  return writes.map((write, index) => {
    const draft = lockOne(building, write, isNew || index > 0)
    const { precondition } = draft
    const isOpen = precondition === undefined && index > 0 && !isCompared
    isCompared ||= precondition === undefined || precondition.kind === 'chained'
    return isOpen ? chained(draft) : draft
  })
}

const lockOne = (building: Building, write: Write, isChanged: boolean): CommandDraft => {
  const { draft } = write
  const { lock } = building.context.resource
  const part = lock && lockedBy(building, write)
  if (lock === undefined || part === undefined)
    return isChanged && holdsLive(draft.request.body) ? chained(draft) : draft
  if ('field' in lock) return withField(building, draft, lock, part, isChanged)
  const header = lock.send === 'If-Match' ? {} : { header: lock.send }
  if (isChanged) {
    return { ...draft, precondition: { kind: 'chained', object: part.name, header: lock.send } }
  }
  const version = building.change.versions?.[part.name]
  return version === undefined ? draft : { ...draft, precondition: { kind: 'etag', etag: spell(version), ...header } }
}

const chained = (draft: CommandDraft): CommandDraft => ({ ...draft, precondition: { kind: 'chained' } })

/** The part whose read shows the version of what is written: a version belongs to one URL. */
const lockedBy = ({ context }: Building, { operation, part }: Write): Part | undefined => {
  const { parts, operations } = context.resource
  if (operation.lock === false) return undefined
  const all = part === undefined ? parts : [part, ...parts]
  const sameUrl = all.find((each) => operations[readOp(each)]?.path === operation.path)
  return sameUrl ?? (operation.lock === true ? all[0] : undefined)
}

const withField = (
  { change }: Building,
  draft: CommandDraft,
  lock: Extract<Lock, { readonly field: string }>,
  part: Part,
  isChanged: boolean,
): CommandDraft => {
  const then = { $after: change.address, pointer: `/versions/${part.name}` }
  const version = isChanged ? then : change.versions?.[part.name]
  if (version === undefined) return draft
  const request = withVersion(draft.request, lock, version)
  if (request === undefined) return draft
  const inverse = draft.inverse && withVersion(draft.inverse, lock, then)
  const pointer = 'query' in lock ? `?${lock.query}` : toPointer(placeOf(lock.send))
  return {
    ...draft,
    request,
    ...(inverse === undefined ? {} : { inverse }),
    precondition: isChanged ? { kind: 'chained', object: part.name } : { kind: 'field', pointer, value: version },
  }
}

/** The request with the version in it; `undefined` where its body has no place for one. */
const withVersion = (
  request: PlannedRequest,
  lock: Extract<Lock, { readonly field: string }>,
  version: Json,
): PlannedRequest | undefined => {
  if ('query' in lock) {
    const value = isAfter(version) ? version : spell(version)
    return { ...request, url: withParameter(request.url, lock.query, value) }
  }
  const place = placeOf(lock.send)
  const { body = {} } = request
  if (isLive(body)) return { ...request, body: { ...body, with: { ...body.with, [toPointer(place)]: version } } }
  // Only a JSON Patch has a way to say it in a list: a test that all else depends on.
  if (isArray(body) && body.some((each) => isObject(each) && each['op'] !== undefined)) {
    return { ...request, body: [{ op: 'test', path: toPointer(place), value: version }, ...body] }
  }
  return isObject(body) && !isMark(body) ? { ...request, body: putAt(body, place.map(String), version) } : undefined
}

/** A create that the server refuses where something is there already, even if it came after the read. */
export const lockCreate = (lock: Lock | undefined, request: PlannedRequest): PlannedRequest =>
  lock !== undefined && 'etag' in lock && lock.create
    ? { ...request, headers: { ...request.headers, 'If-None-Match': '*' } }
    : request
