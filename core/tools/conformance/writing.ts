import type { CommandDraft, PlannedRequest } from '../../engine/schema/command.ts'
import type { ReadResult } from '../../engine/schema/resource.ts'
import { urlWords } from '../../engine/values/url.ts'
import { type Check, readOrFailed, wordsOf } from './check.ts'
import { failingAt, failures } from './failures.ts'
import { demand, isSameJson, shown } from './judge.ts'
import { pathsOf } from './system.ts'
import { faults, places } from './words.ts'

export const converges: Check = async (system, { declared }) => {
  for (const written of declared) {
    const drafts = await system.converge(written)
    demand(drafts.length > 0, () => faults.nothingPlanned(shown(written)))
    const left = await system.plan(written)
    demand(left === undefined, () => faults.notConverged(shown(written), left === undefined ? '' : pathsOf(left)))
  }
}

export const version: Check = async (system, { declared }) => {
  let last: string | undefined
  for (const written of declared) {
    await system.converge(written)
    const found = await system.look(written)
    const now = found.kind === 'present' ? found.version : undefined
    demand(now === undefined || now !== last, () => faults.sameVersion(now ?? ''))
    last = now
  }
}

export const inverses: Check = async (system, { declared: [first, ...others] }) => {
  await system.converge(first)
  for (const written of others) {
    const before = await system.look(written)
    const change = await system.plan(written)
    const drafts = change ? system.type.commands(change) : []
    for (const draft of drafts) await system.sendDraft(draft)
    if (drafts.some(({ inverse }) => inverse === undefined)) continue
    for (const { inverse } of drafts.toReversed()) if (inverse) await system.send(inverse)
    const after = await system.look(written)
    demand(isSameJson(attributesOf(before), attributesOf(after)), () => faults.notRestored(shown(before), shown(after)))
  }
}

const attributesOf = (found: ReadResult): object =>
  found.kind === 'present' ? { kind: found.kind, attributes: found.attributes } : found

export const deletes: Check = async (system, { declared: [first] }) => {
  await system.converge(first)
  const drafts = await system.converge(first, 'absent')
  demand(drafts.length > 0, () => faults.nothingPlanned(shown({ absent: first })))
  const found = await system.look(first)
  demand(found.kind === 'absent', () => faults.notDeleted(shown(found)))
  demand((await system.plan(first, 'absent')) === undefined, () => faults.deleteAgain)
}

export const pure: Check = async (system, { declared }) => {
  for (const written of declared) {
    const change = await system.plan(written)
    if (change === undefined) continue
    const { seal: _, ...rest } = change
    const copy = structuredClone(rest)
    const drafts = system.type.commands(change)
    const again = system.type.commands({ ...structuredClone(rest), ...(change.seal && { seal: change.seal }) })
    demand(isSameJson(drafts, again), () => faults.notSame(shown(drafts), shown(again)))
    demand(isSamePlain(drafts), () => faults.notPlain(shown(drafts)))
    demand(isSameJson(rest, copy), () => faults.changedInput)
    await system.converge(written)
  }
}

/** Tells whether JSON text keeps the value: no function, no `undefined` in a list, no date. */
const isSamePlain = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isSamePlain)
  if (typeof value === 'object' && value !== null) {
    const prototype = Object.getPrototypeOf(value)
    const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null
    return isPlain && Object.values(value).every((inner) => inner !== undefined && isSamePlain(inner))
  }
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

export const complete: Check = async (system, { declared }) => {
  const judge = (drafts: readonly CommandDraft[]): void => {
    for (const { request, inverse, grade, description } of drafts) {
      for (const each of inverse === undefined ? [request] : [request, inverse]) judgeRequest(each)
      demand(/^[^\n\r]+$/.test(description), () => faults.oneLine(shown(description)))
      demand(grade !== 'reversible' || inverse !== undefined, () => faults.noInverse(wordsOf(request)))
    }
  }
  for (const written of declared) judge(await system.converge(written))
  judge(await system.converge(declared.at(-1) ?? declared[0], 'absent'))
}

const judgeRequest = (request: PlannedRequest): void => {
  demand(request.effect === 'write', () => faults.noWrite(wordsOf(request)))
  demand(/^[A-Z]+$/.test(request.method), () => faults.noMethod(request.method))
  demand(typeof request.url !== 'string' || URL.canParse(request.url), () => faults.relative(urlWords(request.url)))
}

export const secrets: Check = async (system, { declared }) => {
  const holds = (value: unknown): boolean => system.secrets.some((secret) => JSON.stringify(value).includes(secret))
  const judge = ({ description, ...rest }: CommandDraft): void => {
    demand(!holds(description), () => faults.leaked(places.description))
    demand(!holds(rest), () => faults.leaked(places.command))
  }
  for (const written of declared) (await system.converge(written)).forEach(judge)
  const target = await system.target(declared.at(-1) ?? declared[0])
  for (const failure of failures) {
    const transport = system.checking((inner) => failingAt(inner, 0, failure))
    const found = await readOrFailed(() => system.type.read(target, { transport }))
    demand(!holds(found ?? null), () => faults.leaked(places.detail))
  }
}
