import type { CommandDraft } from '../../../schema/command.ts'
import type { AttributeEntry } from '../document/attribute.ts'
import { entriesOf, isSent } from '../document/attributes.ts'
import type { Action } from '../document/document.ts'
import type { Part } from '../document/part.ts'
import type { Scope } from '../document/template.ts'
import { callsFor, callWrites, type Sides } from './call-actions.ts'
import type { Building } from './draft.ts'
import { lockCommands, type Write } from './lock-commands.ts'
import { withWait } from './wait.ts'
import { collectionWrites } from './write-collection.ts'

/** Writes with their versions, and what each is waited for with. */
export const inTurn = (
  building: Building,
  writes: readonly Write[],
  scope: Scope,
  isNew = false,
): readonly CommandDraft[] =>
  lockCommands(building, writes, isNew).map((draft, index) => {
    const operation = writes[index]?.operation
    return operation === undefined ? draft : withWait(building, draft, operation, scope)
  })

const any: AttributeEntry = { type: 'any' }

/** Calls before, part by part its attributes and its collection, calls after. A call's attributes are its alone, unless it only goes alongside. */
export const inOrder = (
  building: Building,
  sides: Sides,
  names: readonly string[],
  writePart: (part: Part, names: readonly string[]) => readonly Write[],
): readonly Write[] => {
  const { resource } = building.context
  const calls = callsFor(resource, names, sides.after)
  const called = new Set(calls.flatMap(({ action, names }) => (action.alongside ? [] : names)))
  const made = (order: Action['order']): readonly Write[] =>
    calls.filter(({ action }) => action.order === order).flatMap((call) => callWrites(building, call, sides))
  const parts = resource.parts.flatMap((part) => {
    const entries = entriesOf(part)
    const { collection } = part
    const left = names.filter((name) => !called.has(name) && Object.hasOwn(entries, name))
    const own = left.filter((name) => name !== collection?.field && isSent(entries[name] ?? any, 'update'))
    const isListed = collection !== undefined && left.includes(collection.field)
    return [
      ...(own.length === 0 ? [] : writePart(part, own)),
      ...(isListed
        ? collectionWrites(building, part, {
            before: sides.before[collection.field],
            after: sides.after[collection.field],
            scope: sides.scope,
          })
        : []),
    ]
  })
  return [...made('before'), ...parts, ...made('after')]
}
