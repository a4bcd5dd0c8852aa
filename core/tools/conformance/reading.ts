import type { Listing } from '../../engine/provider/listing.ts'
import type { JsonObject } from '../../engine/schema/json.ts'
import type { ReadResult } from '../../engine/schema/resource.ts'
import { unknownFromError } from '../../engine/transport/answer/unknown.ts'
import { isRead } from '../../engine/transport/read-only.ts'
import { pick } from '../../engine/values/members.ts'
import { type Check, readJudged, readOrFailed, wordsOf } from './check.ts'
import { type Failure, failingAt } from './failures.ts'
import type { Through } from './gates.ts'
import { demand, isSameJson, refuse, shown } from './judge.ts'
import type { System } from './system.ts'
import { faults } from './words.ts'

export const absent: Check = async (system, { declared }) => {
  const found = await system.look(declared[0])
  demand(found.kind === 'absent', () => faults.notAbsent(shown(found)))
}

/** Also refuses a provider that tried a write and hid its refusal. */
export const reads: Check = async (system, { declared }) => {
  const [first] = declared
  const sent: string[] = []
  const spied: Through = (inner) => ({
    send: async (request, signal) => {
      sent.push(wordsOf(request))
      if (!isRead(request)) tried.push(wordsOf(request))
      return inner.send(request, signal)
    },
  })
  const tried: string[] = []
  const look = async (written: JsonObject): Promise<ReadResult> => {
    const transport = system.checking(spied)
    const target = await system.target(written)
    const found = await readOrFailed(() => system.type.read(target, { transport }))
    demand(tried.length === 0, () => faults.wrote(tried[0] ?? ''))
    return found ?? system.look(written)
  }
  await look(first)
  for (const written of declared) {
    await system.converge(written)
    const before = await look(written)
    demand(before.kind === 'present', () => faults.notPresent(shown(before)))
    const after = await look(written)
    demand(isSameJson(before, after), () => faults.unstable(shown(before), shown(after)))
  }
  demand(sent.length > 0, () => faults.noReads)
}

export const apart: Check = async (system, { declared, other }) => {
  if (other === undefined) return
  await system.converge(declared[0])
  const transport = system.checking()
  const { ids: _, ...target } = await system.target(other)
  const found = await readJudged(() => system.type.read(target, { transport }))
  demand(found.kind === 'absent', () => faults.taken(shown(found)))
}

export const lists: Check = async (system, { declared: [first], unlisted }) => {
  if (system.type.list === undefined || unlisted) return
  await system.converge(first)
  demand(await isListed(system, first), () => faults.notListed(shown(first)))
  await system.converge(first, 'absent')
  demand(!(await isListed(system, first)), () => faults.stillListed(shown(first)))
}

const isListed = async (system: System, written: JsonObject): Promise<boolean> => {
  const listing = await listWith(system, written)
  if (listing.kind === 'unknown') return refuse(faults.listUnknown(listing.detail))
  const { attributes } = await system.target(written)
  return listing.objects.some(({ identity }) => isSameJson(identity, pick(attributes, Object.keys(identity))))
}

export const listWith = async (system: System, written: JsonObject, through?: Through): Promise<Listing> =>
  (await system.type
    .list?.([await system.target(written)], { transport: system.checking(through) })
    .catch(unknownFromError)) ?? refuse(faults.listUnknown(''))

export const isUnknownAt =
  (
    failure: Failure,
    ask: (system: System, written: JsonObject, through?: Through) => Promise<ReadResult | Listing>,
  ): Check =>
  async (system, { declared: [first] }) => {
    await system.converge(first)
    const count = await countRequests((through) => ask(system, first, through))
    demand(count > 0, () => faults.noReads)
    for (let nth = 0; nth < count; nth += 1) {
      const found = await ask(system, first, (inner) => failingAt(inner, nth, failure))
      const isUnknown = found.kind === 'unknown' ? found.reason === failure.reason : isPartly(found, failure)
      demand(isUnknown, () => faults.notUnknown(nth + 1, failure.reason, shown(found)))
    }
  }

const isPartly = (found: ReadResult | Listing, { reason }: Failure): boolean =>
  found.kind === 'listed' && (found.unlisted ?? []).some((place) => place.reason === reason)

const countRequests = async (ask: (through: Through) => Promise<unknown>): Promise<number> => {
  let count = 0
  await ask((inner) => ({
    send: (request, signal) => {
      count += 1
      return inner.send(request, signal)
    },
  }))
  return count
}
