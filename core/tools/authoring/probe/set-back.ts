import { asAppError } from '../../../engine/errors/errors.ts'
import type { PlannedRequest } from '../../../engine/schema/command.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { ProbedStuck, ProbeObject } from '../../../engine/schema/reports/probe-report.ts'
import { defined, present } from '../../../engine/values/defined.ts'
import { spellJson } from '../../../engine/values/spell-value.ts'
import { urlWords } from '../../../engine/values/url.ts'
import type { AttributeEntry } from '../../../providers/rest/document/attribute.ts'
import { sameValue } from '../../../providers/rest/document/attributes.ts'
import type { Observation, Present, SandboxObject, WriteResult } from './sandbox.ts'
import { settable } from './settable.ts'
import { stuckBy } from './words.ts'

export interface Trial {
  readonly handle: SandboxObject
  readonly entries: Readonly<Record<string, AttributeEntry>>
  readonly base: JsonObject
  readonly name: string
  readonly done: WriteResult
  readonly before: Present
  readonly seen: Observation
  readonly writable: readonly string[]
}

/** A value that a trial left changed, unmodified. */
export type Stuck = Omit<ProbedStuck, keyof ProbeObject>

export type SetBack = { readonly kind: 'back'; readonly now: Present } | ({ readonly kind: 'stuck' } & Stuck)

/**
 * Sets back what a trial changed, and verifies it with a read. If the object cannot be read any more, the inverses of
 * the trial are sent.
 */
export const setBack = async (trial: Trial): Promise<SetBack> => {
  const { handle, base, seen, before, done } = trial
  const changed = changedBy(trial)
  if (seen.kind === 'present' && changed.length === 0) return { kind: 'back', now: seen }
  const former = Object.fromEntries(changed.map((name) => [name, formerOf(trial, name)]))
  const undone = await attempt(() => (seen.kind === 'present' ? handle.ensure({ ...base, ...former }) : undo(trial)))
  const now = await handle.look(base)
  const [left] = now.kind === 'present' ? changed.filter((name) => isKept(trial, name, now)) : changed
  if (undone.ok && left === undefined && now.kind === 'present') return { kind: 'back', now }
  const attribute = left ?? trial.name
  const planned = undone.sent === undefined ? (done.inverses ?? []) : [undone.sent]
  return {
    kind: 'stuck',
    attribute,
    was: before.attributes[attribute] ?? null,
    ...defined({ is: now.kind === 'present' ? (now.attributes[attribute] ?? null) : undefined }),
    detail: now.kind === 'present' ? (undone.said ?? stuckBy.kept) : stuckBy.unseen,
    undo: planned.map(requestText),
  }
}

/** A write that fails before it is sent counts as not done: the following read decides. */
export const attempt = async (write: () => Promise<WriteResult>): Promise<WriteResult> => {
  try {
    return await write()
  } catch (error) {
    return { ok: false, said: asAppError(error).message }
  }
}

const undo = async ({ handle, base, done }: Trial): Promise<WriteResult> => {
  await handle.undo(base, done)
  return { ok: true }
}

const changedBy = (trial: Trial): readonly string[] => {
  const { name, writable, done, seen } = trial
  if (seen.kind !== 'present') return [name]
  const isChanged = (each: string): boolean =>
    !isBack(trial, each, seen) || (each === name && done.ok && isUnseen(trial, seen))
  return writable.filter((each) => isChanged(each) && !isSecretOfServer(trial, each))
}

/** The probe did not set this secret, and no answer contains the value to set back. */
const isSecretOfServer = ({ entries, base }: Trial, name: string): boolean =>
  entries[name]?.sensitive === true && base[name] === undefined

/**
 * True if the value is not as before, and still as the trial left it. A third value moves by itself with each write: a
 * serial number.
 */
const isKept = (trial: Trial, name: string, now: Present): boolean => {
  const { entries, seen } = trial
  const entry = entries[name]
  if (entry === undefined || isBack(trial, name, now)) return false
  return seen.kind !== 'present' || sameValue(entry, seen.attributes[name] ?? null, now.attributes[name] ?? null)
}

const isUnseen = ({ name, before }: Trial, seen: Present): boolean =>
  before.attributes[name] === undefined && seen.attributes[name] === undefined

const isBack = ({ entries, before }: Trial, name: string, { attributes }: Present): boolean => {
  const entry = entries[name]
  return entry === undefined || sameValue(entry, before.attributes[name] ?? null, attributes[name] ?? null)
}

/** Returns the former value; without one, the value of the base. */
const formerOf = ({ entries, base, before }: Trial, name: string): Json => {
  const kept = base[name] ?? null
  const entry = entries[name]
  return entry?.sensitive ? kept : settable(entry ?? {}, before.attributes[name] ?? kept)
}

const requestText = ({ method, url, body }: PlannedRequest): string =>
  present(method, urlWords(url), body !== undefined && spellJson(body)).join(' ')
