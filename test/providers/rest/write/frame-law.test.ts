import { expect, it } from 'vitest'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import { canonicalJson } from '../../../../core/engine/json/canonical.ts'
import type { ResourceType } from '../../../../core/engine/provider/provider.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../../core/engine/schema/json.ts'
import { startDraw } from '../../../builders/frame/draw.ts'
import { hold } from '../../../builders/frame/hold.ts'
import { losses, satisfies } from '../../../builders/frame/oracle.ts'
import { withOwn } from '../../../builders/frame/server.ts'
import { drawDocument, type FrameDocument, type Shape } from '../../../builders/frame/shape.ts'
import { declareMembers, drawObject } from '../../../builders/frame/state.ts'
import { isLawRun, lawCount, lawSeed } from '../../../builders/laws.ts'
import { type Planned, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

/*
 * A write changes what the plan shows, and nothing else: states with members that no document names, documents of all ways of
 * sending, and servers that merge and replace. What must be afterwards is said by an oracle of its own.
 */

const statesOfEach = 100

/** What an undo can bring back: not the order of sets, nor what the server makes by itself. A null is a value. */
const restorable = (shape: Shape | undefined, value: Json): Json => {
  const element = shape !== undefined && 'element' in shape ? shape.element : undefined
  if (isArray(value))
    return value
      .map((each) => restorable(element, each))
      .toSorted((left, right) => (canonicalJson(left) < canonicalJson(right) ? -1 : 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
      const own = shape?.kind === 'object' ? shape.members[name] : element
      const isNothing = ['rev', 'own'].includes(name) || own?.kind === 'computed'
      return isNothing ? [] : [[name, restorable(own, inner)]]
    }),
  )
}

interface Tried {
  readonly wrong: readonly string[]
  readonly commands: number
  readonly reversible: boolean
  readonly blocked: boolean
}

const tryOne = async (
  document: FrameDocument,
  type: ResourceType,
  before: JsonObject,
  declared: JsonObject,
): Promise<Tried> => {
  const { held, transport, write } = hold(document, before)
  const spec = { name: 'one', ...declared }
  const plan = () => planOne(type, { spec }, transport)
  const nothing = { wrong: [], commands: 0, reversible: false, blocked: false }
  const first = await plan().catch((error: unknown) => error)
  // No request can carry it, which is said before.
  if (isAppError(first, 'TEMPLATE_VALUE_MISSING')) return { ...nothing, blocked: true }
  if (first instanceof Error) throw first
  const { read, planned, commands } = first as Planned
  if (read.kind !== 'present') return { ...nothing, wrong: [`not read: ${JSON.stringify(read)}`] }
  const root = { kind: 'object', members: document.members } as const
  if (planned.change?.blocked !== undefined) return { ...nothing, blocked: true }
  if (planned.change === undefined)
    return satisfies(root, before, declared) ? nothing : { ...nothing, wrong: ['a difference is not seen'] }
  for (const { request } of commands) await write(type, request)
  const after = held.state
  const deep = document.way.server === 'deep'
  const lossy = commands.some(({ loses = [] }) => loses.length > 0)
  const lost = losses(root, { before, after, declared }, deep, planned.change.diff)
  const isSettled = deep || satisfies(root, after, declared)
  const unsettled = isSettled ? [] : ['it is not as declared']
  const reversible = commands.every(({ grade, inverse }) => grade === 'reversible' && inverse !== undefined)
  if (lossy && reversible) return { ...nothing, wrong: ['it loses something and is reversible'] }
  if (reversible && !deep) {
    for (const { inverse } of commands.toReversed()) if (inverse !== undefined) await write(type, inverse)
    const [was, is] = [before, held.state].map((state) => canonicalJson(restorable(root, state)))
    if (was !== is) lost.length === 0 && unsettled.push(`not brought back: ${is}`)
  }
  const wrong = [...(lossy ? [] : lost), ...unsettled]
  const sent =
    wrong.length === 0 ? [] : commands.map(({ request, inverse }) => JSON.stringify([request.body, inverse?.body]))
  return { ...nothing, wrong: [...wrong, ...sent], commands: commands.length, reversible }
}

const play = async (count: number, seed: number) => {
  const totals = { cases: 0, commands: 0, reversible: 0, blocked: 0 }
  for (let number = 0; totals.cases < count; number += 1) {
    const draw = startDraw(seed * 1_000_003 + number)
    const document = drawDocument(draw)
    const type = typeOf(providerOf(document.text, {}), 'api_thing')
    for (let state = 0; state < statesOfEach && totals.cases < count; state += 1) {
      const drawn = { name: 'one', ...drawObject(draw, document.members) }
      const before = document.addsOwn ? withOwn(document, drawn) : drawn
      const declared = declareMembers(draw, document.members, before)
      const { wrong, commands, reversible, blocked } = await tryOne(document, type, before, declared)
      const told = [JSON.stringify(document), JSON.stringify(before), JSON.stringify(declared), ...wrong]
      const shown = wrong.length === 0 ? '' : told.join('\n')
      expect(shown, `document ${number}, state ${state}`).toBe('')
      totals.cases += 1
      totals.commands += commands
      totals.reversible += Number(reversible)
      totals.blocked += Number(blocked)
    }
  }
  return totals
}

const parts = isLawRun ? [0, 1, 2, 3] : [0]

it.each(parts)(
  'law: an apply changes what the plan shows, and what is reversible is brought back: part %i',
  async (part) => {
    const { cases, commands, reversible, blocked } = await play(
      lawCount(100_000 / parts.length),
      lawSeed * parts.length + part,
    )
    // The law would say nothing if most cases had no write, or could not be brought back.
    expect(commands).toBeGreaterThan(cases / 2)
    expect(reversible).toBeGreaterThan(cases / 10)
    expect(blocked).toBeLessThan(cases / 20)
  },
)
