import type { PlannedRequest } from '../../../schema/command.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { allEntries, sameValue } from '../document/attributes.ts'
import type { Action, RestResource } from '../document/document.ts'
import type { Operation } from '../document/operation.ts'
import { buildBody, holdsSealed, within } from '../request/build-body.ts'
import { encodeAll, encodeEach } from '../request/encode.ts'
import { type CommandContext, draftOf, inverseOf, type Transition, writeRequest } from './command-context.ts'
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
  const holds = ({ when = {} }: Action): boolean =>
    Object.entries(when).every(([attribute, values]) => {
      const entry = entries[attribute]
      return entry !== undefined && values.some((value) => sameValue(entry, value, after[attribute]))
    })
  return Object.entries(resource.actions ?? {}).flatMap(([name, action]): Call[] => {
    const differing = action.on.filter((attribute) => names.includes(attribute))
    return differing.length > 0 && holds(action) ? [{ name, action, names: differing }] : []
  })
}

/** The command of a call. Its inverse is the call that the former values ask for. */
export const callWrites = (context: CommandContext, call: Call, transition: Transition): readonly Write[] => {
  const { resource } = context
  const { action, name, names } = call
  const { before, after, scope } = transition
  const operation = resource.operations[action.op]
  if (operation === undefined) return []
  const isKnown = names.every((each) => before[each] !== undefined && !holdsSealed(before[each]))
  // A call alongside sets nothing: the writes that it goes with have the inverse.
  const back = isKnown && !action.alongside ? callsFor(resource, names, before) : []
  const undo = back.find((each) => each.names.length === names.length)
  const undoing = undo && resource.operations[undo.action.op]
  const inverse = undoing && inverseOf(() => requestOf(context, undoing, undo, { before: after, after: before, scope }))
  const draft = draftOf({
    action: 'call',
    description: action.alongside ? name : `${name}: set ${names.join(', ')}`,
    operation,
    request: requestOf(context, operation, call, transition),
    inverse,
    footprint: { sets: action.alongside ? [] : names },
  })
  return [{ draft, operation }]
}

const requestOf = (
  context: CommandContext,
  operation: Operation,
  { action, names }: Call,
  { before, after, scope: outer }: Transition,
): PlannedRequest => {
  const entries = allEntries(context.resource)
  const scope = within(outer, { desired: encodeEach(entries, after), before: encodeEach(entries, before) })
  const own = Object.fromEntries(names.map((name) => [name, after[name] ?? null]))
  const body = buildBody(operation, action.body, encodeAll(entries, own, 'update'), scope)
  return writeRequest(context, operation, scope, body)
}
