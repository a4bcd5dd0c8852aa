import type { CommandDraft } from '../../../schema/command.ts'
import type { Archived } from '../../../schema/resource.ts'
import { allEntries, type Entries, entriesOf, sameValue } from '../document/attributes.ts'
import { deleteOf } from '../document/document.ts'
import { variablesOf } from '../document/template.ts'
import { identified } from '../read/find-object.ts'
import { buildBody, plainBody } from '../request/build-body.ts'
import { encodeAll } from '../request/encode.ts'
import {
  type CommandContext,
  draftOf,
  inverseOf,
  labelOf,
  presentScope,
  producesOf,
  writeRequest,
} from './command-context.ts'
import { isInline, newValues, pick, sentByCreate } from './created-values.ts'
import { orderedWrites, toCommands } from './ordered-writes.ts'
import { withWait } from './wait.ts'

/** An archived object comes back under its own ids, and then gets what differs. */
export const reviveCommands = (context: CommandContext, archived: Archived): readonly CommandDraft[] => {
  const { resource, change } = context
  const operation = resource.operations[resource.lifecycle?.revive ?? '']
  if (operation === undefined) return []
  const { attributes: before, ...known } = archived
  const present: CommandContext = { ...context, change: { ...change, ...known, action: 'update', before } }
  const scope = presentScope(present)
  const after = newValues(context)
  const takesFields = variablesOf(operation.body ?? null).some(([first]) => first === 'fields')
  const sent = takesFields ? sentByCreate(context, after) : []
  const inline = Object.assign({}, ...resource.parts.filter(isInline).map(entriesOf)) as Entries
  const fields = encodeAll(inline, pick(after, sent), 'create')
  const body = takesFields ? buildBody(operation, undefined, fields, scope) : plainBody(operation, scope)
  const remove = resource.operations[deleteOf(resource)]
  const revive = draftOf({
    action: 'create',
    description: `revive ${labelOf(context, identified(context, after))}`,
    operation,
    request: writeRequest(present, operation, scope, body),
    grade: remove === undefined ? 'irreversible' : 'reversible',
    inverse: inverseOf(() => remove && writeRequest(present, remove, scope, plainBody(remove, scope))),
    footprint: { sets: sent },
  })
  const differing = Object.entries(allEntries(resource)).flatMap(([name, entry]) =>
    after[name] !== undefined &&
    !entry.computed &&
    !sent.includes(name) &&
    (entry.writeOnly || !sameValue(entry, before[name], after[name]))
      ? [name]
      : [],
  )
  const writes = orderedWrites(present, { before, after, scope }, differing)
  return [
    withWait(present, { ...revive, ...producesOf(operation) }, operation, scope),
    ...toCommands(present, writes, scope, true),
  ]
}
