import type { CommandDraft } from '../../../schema/command.ts'
import type { Archived } from '../../../schema/resource.ts'
import { allEntries, entriesOf, sameValue } from '../document/attributes.ts'
import { deleteOf } from '../document/document.ts'
import { variablesOf } from '../document/template.ts'
import { identified } from '../read/find-object.ts'
import { buildBody, plainBody } from '../request/build-body.ts'
import { encodeAll } from '../request/encode.ts'
import { isInline, pick, secretsOf, sentByCreate, withSecrets } from './created-values.ts'
import { type Building, draftOf, inverseOf, labelOf, operationOf, producesOf, writeRequest } from './draft.ts'
import { inOrder, inTurn } from './in-order.ts'
import { presentScope } from './object-scopes.ts'
import { withWait } from './wait.ts'
import { partWrites } from './write-part.ts'

/** What is archived comes back under its own ids, and then gets what differs. */
export const reviveCommands = (building: Building, archived: Archived): readonly CommandDraft[] => {
  const { context, change } = building
  const operation = operationOf(building, context.resource.lifecycle?.revive ?? '')
  if (operation === undefined) return []
  const { attributes: before, ...known } = archived
  const present: Building = { context, change: { ...change, ...known, action: 'update', before } }
  const scope = presentScope(present)
  const after = { ...withSecrets(change.after ?? {}, change.desired), ...secretsOf(building) }
  const takesFields = variablesOf(operation.body ?? null).some(([first]) => first === 'fields')
  const sent = takesFields ? sentByCreate(building, after) : []
  const inline = context.resource.parts.filter(isInline)
  const fields = encodeAll(Object.assign({}, ...inline.map(entriesOf)), pick(after, sent), 'create')
  const body = takesFields ? buildBody(operation, undefined, fields, scope) : plainBody(operation, scope)
  const remove = operationOf(building, deleteOf(context.resource))
  const revive = draftOf({
    action: 'create',
    description: `revive ${labelOf(building, identified(context, after))}`,
    operation,
    request: writeRequest(present, operation, scope, body),
    grade: remove === undefined ? 'irreversible' : 'reversible',
    inverse: inverseOf(() => remove && writeRequest(present, remove, scope, plainBody(remove, scope))),
    does: { sets: sent },
  })
  const entries = allEntries(context.resource)
  const names = Object.keys(after).filter((name) => {
    const entry = entries[name]
    if (entry === undefined || entry.computed) return false
    return !sent.includes(name) && (entry.writeOnly || !sameValue(entry, before[name], after[name]))
  })
  const writes = inOrder(present, { before, after, scope }, names, (part, own) =>
    partWrites(present, part, { before, after, names: own, scope }),
  )
  return [
    withWait(present, { ...revive, ...producesOf(operation) }, operation, scope),
    ...inTurn(present, writes, scope, true),
  ]
}
