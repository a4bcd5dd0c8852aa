import type { PlannedRequest } from '../../../schema/command.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import { allEntries, type Entries, sameValue } from '../document/attributes.ts'
import type { Action, RestResource } from '../document/document.ts'
import type { Operation } from '../document/operation.ts'
import type { Scope } from '../document/template.ts'
import { buildBody, holdsSealed, within } from '../request/build-body.ts'
import { encodeAll, encodeEach } from '../request/encode.ts'
import { type Building, draftOf, inverseOf, operationOf, writeRequest, writeRequestIfKnown } from './draft.ts'
import type { Write } from './lock-commands.ts'

interface Call {
  readonly name: string
  readonly action: Action
  /** Its attributes that differ. */
  readonly names: readonly string[]
}

/** The calls that a change of these attributes asks for, in the order of the document. */
export const callsFor = (resource: RestResource, names: readonly string[], after: JsonObject): readonly Call[] => {
  const entries = allEntries(resource)
  return Object.entries(resource.actions ?? {}).flatMap(([name, action]): Call[] => {
    const differing = action.on.filter((attribute) => names.includes(attribute))
    return differing.length > 0 && holds(entries, action, after) ? [{ name, action, names: differing }] : []
  })
}

const holds = (entries: Entries, { when = {} }: Action, after: JsonObject): boolean =>
  Object.entries(when).every(([attribute, values]) => {
    const entry = entries[attribute]
    return entry !== undefined && values.some((value) => sameValue(entry, value, after[attribute]))
  })

export interface Sides {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly scope: Scope
}

/** The command of a call. What undoes it is the call that the former values ask for. */
export const callWrites = (building: Building, call: Call, { before, after, scope }: Sides): readonly Write[] => {
  const operation = operationOf(building, call.action.op)
  if (operation === undefined) return []
  const { resource } = building.context
  const isKnown = call.names.every((name) => before[name] !== undefined && !holdsSealed(before[name]))
  // What goes alongside sets nothing: the writes that it goes with are what can be undone.
  const back = isKnown && !call.action.alongside ? callsFor(resource, call.names, before) : []
  const [only] = back.filter(({ names }) => names.length === call.names.length)
  const undoing = only && operationOf(building, only.action.op)
  const inverse =
    undoing &&
    inverseOf(() => requestOf(building, undoing, only, { before: after, after: before, scope }, writeRequestIfKnown))
  const draft = draftOf({
    action: 'call',
    description: call.action.alongside ? call.name : `${call.name}: set ${call.names.join(', ')}`,
    operation,
    request: requestOf(building, operation, call, { before, after, scope }, writeRequest),
    grade: inverse === undefined ? 'lossy' : 'reversible',
    inverse,
    does: { sets: call.action.alongside ? [] : call.names },
  })
  return [{ draft, operation }]
}

const requestOf = <Built extends PlannedRequest | undefined>(
  building: Building,
  operation: Operation,
  { action, names }: Call,
  sides: Sides,
  build: (building: Building, operation: Operation, scope: Scope, body: Json | undefined) => Built,
): Built => {
  const entries = allEntries(building.context.resource)
  const { before, after } = sides
  const scope = within(sides.scope, { desired: encodeEach(entries, after), before: encodeEach(entries, before) })
  const values = Object.fromEntries(names.map((name) => [name, after[name] ?? null]))
  const body = buildBody(operation, action.body, encodeAll(entries, values, 'update'), scope)
  return build(building, operation, scope, body)
}
