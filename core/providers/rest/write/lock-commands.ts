import { setAt } from '../../../engine/json/pointer.ts'
import type { PlannedChange } from '../../../engine/provider/provider.ts'
import type { CommandDraft, PlannedRequest } from '../../../engine/schema/command.ts'
import { isArray, isObject, type Json } from '../../../engine/schema/json.ts'
import { isAfter, isLive, isMark } from '../../../engine/schema/value.ts'
import { defined } from '../../../engine/values/defined.ts'
import { withParameter } from '../../../engine/values/url.ts'
import { type RestResource, readOp } from '../document/document.ts'
import type { Lock } from '../document/lock.ts'
import type { ResourcePart } from '../document/part.ts'
import { pathOf, pointerOf, spell } from '../document/shared/template.ts'
import type { CommandContext, Write } from './values/command-context.ts'

/**
 * Gives each write of one object the version that it applies to. Our own writes change the version: from the second write on,
 * it is read right before. `isNew`: an earlier command creates the object.
 */
export const lockCommands = (
  context: CommandContext,
  writes: readonly Write[],
  isNew: boolean,
): readonly CommandDraft[] =>
  writes.map((write, index) => lockOne(context, write, isNew ? 'made' : index > 0 ? 'chained' : undefined))

/** A later write: to an existing object, or to one that an earlier command creates. */
type Later = 'chained' | 'made' | undefined

const lockOne = ({ resource, change }: CommandContext, write: Write, later: Later): CommandDraft => {
  const { draft } = write
  const { lock } = resource
  const part = lock && lockedBy(resource, write)
  if (lock === undefined || part === undefined) return withPrecondition(draft, later)
  if ('field' in lock) return withField(change, draft, lock, part, later)
  if (later !== undefined) {
    return { ...draft, precondition: { kind: later, object: part.name, header: lock.send } }
  }
  const header = lock.send === 'If-Match' ? {} : { header: lock.send }
  const version = change.versions?.[part.name]
  return version === undefined ? draft : { ...draft, precondition: { kind: 'etag', etag: spell(version), ...header } }
}

const withPrecondition = (draft: CommandDraft, kind: Later): CommandDraft =>
  kind === undefined ? draft : { ...draft, precondition: { kind } }

/** The part whose read shows the version of what is written: a version belongs to one URL. */
const lockedBy = ({ parts, operations }: RestResource, { operation, part }: Write): ResourcePart | undefined => {
  if (operation.lock === false) return undefined
  const all = part === undefined ? parts : [part, ...parts]
  const sameUrl = all.find((each) => operations[readOp(each)]?.path === operation.path)
  return sameUrl ?? (operation.lock === true ? all[0] : undefined)
}

const withField = (
  change: PlannedChange,
  draft: CommandDraft,
  lock: Extract<Lock, { readonly field: string }>,
  part: ResourcePart,
  later: Later,
): CommandDraft => {
  const then = { $after: change.address, pointer: `/versions/${part.name}` }
  const observed = change.versions?.[part.name]
  // Of an object that was seen it is known whether this part tells a version at all.
  const version = later === 'made' || (later === 'chained' && observed !== undefined) ? then : observed
  if (version === undefined) return withPrecondition(draft, later)
  const request = withVersion(draft.request, lock, version)
  if (request === undefined) return withPrecondition(draft, later)
  const inverse = draft.inverse && withVersion(draft.inverse, lock, then)
  const pointer = 'query' in lock ? `?${lock.query}` : pointerOf(lock.send)
  return {
    ...draft,
    request,
    ...defined({ inverse }),
    precondition: later === undefined ? { kind: 'field', pointer, value: version } : { kind: later, object: part.name },
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
  const pointer = pointerOf(lock.send)
  const { body = {} } = request
  if (isLive(body)) return { ...request, body: { ...body, with: { ...body.with, [pointer]: version } } }
  // Only a JSON Patch has a way to say it in a list: a test that all else depends on.
  if (isArray(body) && body.some((each) => isObject(each) && each['op'] !== undefined)) {
    return { ...request, body: [{ op: 'test', path: pointer, value: version }, ...body] }
  }
  return isObject(body) && !isMark(body)
    ? { ...request, body: setAt(body, pathOf(lock.send).map(String), version) }
    : undefined
}

/** A create that the server refuses where something is there already, even if it came after the read. */
export const lockCreate = (lock: Lock | undefined, request: PlannedRequest): PlannedRequest =>
  lock !== undefined && 'etag' in lock && lock.create
    ? { ...request, headers: { ...request.headers, 'If-None-Match': '*' } }
    : request
