import { isEqual } from '../../../diff/matching/canonical.ts'
import { AppError } from '../../../errors/errors.ts'
import { type Command, isIdempotent, type Request } from '../../../schema/command.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { isArray, isObject } from '../../../schema/json.ts'
import { isLive, isMark, type LiveMark } from '../../../schema/value.ts'
import { withoutPlaces } from '../../../transport/secrets/live-places.ts'
import { splitPlace } from '../../../values/addresses/address.ts'
import type { Deps } from '../../deps.ts'
import type { Session } from '../../session/open-session.ts'
import { targetChanges } from '../execution/words.ts'
import type { Guard } from './guard-commands.ts'

/**
 * Milliseconds after which a read is repeated. Pacing, a sign-in or a slow store may delay a write by more; normal load
 * should not.
 */
const goodForMs = 5_000

interface Seeing {
  readonly command: Command
  readonly guard: Pick<Guard, 'changedSince'>
  readonly session: Pick<Session, 'known'>
  /** Builds the request from the values that are known now. Throws as `fillAll`. */
  readonly build: () => Request
}

export interface FreshRequest {
  readonly request: Request
  /** Called for each attempt. Rejects with TARGET_CHANGED, TARGET_UNREAD, OBJECT_CHANGED. */
  readonly still: () => Promise<void>
}

/**
 * One read is valid for one attempt, for a short time. For each other attempt, a new read must lead to the same
 * request.
 */
export const seenFor = ({ command, guard, session, build }: Seeing, { clock }: Pick<Deps, 'clock'>): FreshRequest => {
  const request = build()
  const objects = session.known.of(command.address).objects ?? {}
  const readAt = clock.monotonic()
  let attempts = 0
  const still = async (): Promise<void> => {
    attempts += 1
    if (attempts === 1 && clock.monotonic() - readAt <= goodForMs) return
    const changed = await guard.changedSince(command, attempts > 1 && isIdempotent(request) ? 'maybe done' : undefined)
    if (changed !== undefined) throw changed
    const now = session.known.of(command.address).objects ?? {}
    const moved = liveMarks(request.body).find((mark) => !isSameObject(mark, objects, now))
    if (moved !== undefined) throw new AppError('OBJECT_CHANGED', { object: moved.$live, detail: targetChanges.object })
    if (isEqual(plain(build()), plain(request))) return
    const { address, id } = command
    throw new AppError('TARGET_CHANGED', { address, command: id, detail: targetChanges.version })
  }
  return { request, still }
}

const plain = ({ method, url, headers = {}, body = null }: Request): Json => ({ method, url, headers, body })

type Objects = Readonly<Record<string, JsonObject>>

const isSameObject = ({ $live, except }: LiveMark, then: Objects, now: Objects): boolean => {
  const [, name] = splitPlace($live)
  return isEqual(withoutPlaces(then[name] ?? null, except), withoutPlaces(now[name] ?? null, except))
}

const liveMarks = (value: Json | undefined): readonly LiveMark[] => {
  if (value === undefined || isMark(value)) return []
  if (isLive(value)) return [value]
  return isArray(value) || isObject(value) ? Object.values(value).flatMap(liveMarks) : []
}
