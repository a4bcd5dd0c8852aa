import type { CommandDraft } from '../../../schema/command.ts'
import { pick } from '../../../values/members.ts'
import { entriesOf } from '../document/attributes.ts'
import type { Action } from '../document/document.ts'
import type { Scope } from '../document/template.ts'
import { callsFor, callWrites } from './call-actions.ts'
import type { CommandContext, Transition } from './command-context.ts'
import { isSentBy } from './created-values.ts'
import { lockCommands, type Write } from './lock-commands.ts'
import { withWait } from './wait.ts'
import { collectionWrites } from './write-collection.ts'
import { partWrites } from './write-part.ts'

/** Writes with their versions, and what each is waited for with. */
export const toCommands = (
  context: CommandContext,
  writes: readonly Write[],
  scope: Scope,
  isNew = false,
): readonly CommandDraft[] =>
  lockCommands(context, writes, isNew).map((draft, index) => {
    const operation = writes[index]?.operation
    return operation === undefined ? draft : withWait(context, draft, operation, scope)
  })

/**
 * The writes of the attributes of these names: calls before, part by part its attributes and its collection, calls after. No
 * part writes an attribute that a call sets, unless the call only goes alongside.
 */
export const orderedWrites = (
  context: CommandContext,
  transition: Transition,
  names: readonly string[],
  isNew = false,
): readonly Write[] => {
  const { resource } = context
  const { before, after, scope } = transition
  const calls = callsFor(resource, names, after)
  const called = new Set(calls.flatMap(({ action, names }) => (action.alongside ? [] : names)))
  const callsAt = (order: Action['order']): readonly Write[] =>
    calls.filter(({ action }) => action.order === order).flatMap((call) => callWrites(context, call, transition))
  const parts = resource.parts.flatMap((part) => {
    const entries = entriesOf(part)
    const field = part.collection?.field ?? ''
    const left = names.filter((name) => !called.has(name) && Object.hasOwn(entries, name))
    const own = left.filter((name) => name !== field && isSentBy(entries, name, 'update'))
    const values = isNew ? pick(after, Object.keys(entries)) : after
    return [
      ...(own.length === 0 ? [] : partWrites(context, part, { before, after: values, names: own, scope, isNew })),
      ...(left.includes(field)
        ? collectionWrites(context, part, { before: before[field], after: after[field], scope })
        : []),
    ]
  })
  return [...callsAt('before'), ...parts, ...callsAt('after')]
}
