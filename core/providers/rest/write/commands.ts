import type { CommandDraft, PlannedRequest } from '../../../schema/command.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { PlannedChange } from '../../provider.ts'
import { allEntries, entriesOf, isSent } from '../document/attributes.ts'
import { deleteOf, isKept } from '../document/document.ts'
import type { Scope } from '../document/template.ts'
import { identified } from '../read/find-object.ts'
import { holdsSealed, plainBody } from '../request/build-body.ts'
import type { TypeContext } from '../request/context.ts'
import {
  creatable,
  createBody,
  isInline,
  secretsOf,
  sentByCreate,
  withoutGenerated,
  withSecrets,
} from './created-values.ts'
import { type Building, draftOf, inverseOf, labelOf, operationOf, producesOf, writeRequest } from './draft.ts'
import { inOrder, inTurn } from './in-order.ts'
import { lockCreate, type Write } from './lock-commands.ts'
import { futureScope, presentScope } from './object-scopes.ts'
import { reviveCommands } from './revive-commands.ts'
import { withWait } from './wait.ts'
import { partWrites, writeOnlyValues } from './write-part.ts'

/** The exact requests of a change, in order. Pure. */
export const commandsFor = (context: TypeContext, change: PlannedChange): readonly CommandDraft[] => {
  const building = { context, change }
  switch (change.action) {
    case 'create':
      return createCommands(building)
    case 'update':
      return updateCommands(building)
    case 'delete':
      return deleteCommands(building)
    case 'replace':
      return change.replaceOrder === 'createFirst'
        ? [...createCommands(building), ...deleteCommands(building)]
        : [...deleteCommands(building), ...createCommands(building)]
  }
}

/** Settings come with what is around them, and are set as soon as that is there. */
const firstCommands = (building: Building): readonly CommandDraft[] => {
  const { change } = building
  const attributes = { ...withSecrets(change.after ?? change.desired, change.desired), ...secretsOf(building) }
  const scope = futureScope(building, attributes, true)
  return inTurn(building, laterWrites(building, attributes, scope), scope, true)
}

const createCommands = (building: Building): readonly CommandDraft[] => {
  const { context, change } = building
  if (isKept(context.resource)) return firstCommands(building)
  if (change.archived !== undefined) return reviveCommands(building, change.archived)
  const operation = operationOf(building, 'create')
  if (operation === undefined) return []
  const whole = { ...withSecrets(change.after ?? change.desired, change.desired), ...secretsOf(building) }
  const attributes = withoutGenerated(building, whole)
  const scope = futureScope(building, attributes, false)
  const body = createBody(building, context.resource.parts.filter(isInline), attributes, change.desired, scope)
  const created = futureScope(building, attributes, true)
  const remove = operationOf(building, deleteOf(context.resource))
  const inverse = inverseOf(() => remove && writeRequest(building, remove, created, undefined))
  const create = draftOf({
    action: 'create',
    description: `create ${labelOf(building, identified(context, attributes))}`,
    operation,
    request: writeRequest(building, operation, scope, body),
    grade: remove === undefined ? 'irreversible' : 'reversible',
    inverse,
    does: { sets: sentByCreate(building, attributes) },
  })
  const made = { ...create, ...producesOf(operation), request: lockCreate(context.resource.lock, create.request) }
  return [
    withWait(building, made, operation, created),
    ...inTurn(building, laterWrites(building, attributes, created), created, true),
  ]
}

/** What no create can say: parts with a write of their own, and attributes that only a later write or call takes. */
const laterWrites = (building: Building, attributes: JsonObject, scope: Scope): readonly Write[] => {
  const { context, change } = building
  const { resource } = context
  const later = resource.parts.map((part) => {
    const values = creatable(entriesOf(part), attributes, change.desired)
    const names = Object.keys(values).filter(
      (name) => isKept(resource) || !isInline(part) || !isSent(entriesOf(part)[name] ?? { type: 'any' }, 'create'),
    )
    return { part, values, names }
  })
  const values = Object.assign({}, ...later.map((each) => each.values)) as JsonObject
  const names = later.flatMap((each) => each.names)
  return inOrder(building, { before: {}, after: values, scope }, names, (part, left) => {
    const own = later.find((each) => each.part === part)?.values ?? {}
    return partWrites(building, part, { before: {}, after: own, names: left, scope, isNew: true })
  })
}

const updateCommands = (building: Building): readonly CommandDraft[] => {
  const { context, change } = building
  const scope = presentScope(building)
  const names = [...new Set(change.changed.map(([first]) => String(first)))]
  const { before, after } = { before: change.before ?? {}, after: change.after ?? {} }
  const values = { ...after, ...writeOnlyValues(allEntries(context.resource), change.desired, names) }
  const writes = inOrder(building, { before, after: values, scope }, names, (part, own) =>
    partWrites(building, part, { before, after: values, names: own, scope }),
  )
  return inTurn(building, writes, scope)
}

const deleteCommands = (building: Building): readonly CommandDraft[] => {
  const { context, change } = building
  const operation = operationOf(building, deleteOf(context.resource))
  if (operation === undefined) return []
  const scope = presentScope(building)
  const attributes = { ...identified(context, change.desired), ...change.before }
  const draft = draftOf({
    action: 'delete',
    description: `delete ${labelOf(building, attributes)}`,
    operation,
    request: writeRequest(building, operation, scope, plainBody(operation, scope)),
    grade: 'lossy',
    inverse: recreate(building),
    does: {},
  })
  return inTurn(building, [...callsBefore(building, scope), { draft, operation }], scope)
}

/** What must be called before the object can go: it is stopped, its protection lifted. */
const callsBefore = (building: Building, scope: Scope): readonly Write[] =>
  (building.context.resource.lifecycle?.beforeDelete ?? []).flatMap((name): Write[] => {
    const operation = operationOf(building, name)
    if (operation === undefined) return []
    const request = writeRequest(building, operation, scope, plainBody(operation, scope))
    const description = `${name} before the delete`
    return [
      {
        draft: draftOf({
          action: 'call',
          description,
          operation,
          request,
          grade: 'lossy',
          inverse: undefined,
          does: {},
        }),
        operation,
      },
    ]
  })

/** The create that would bring a deleted object back; none where one request, or what is known, is not enough. */
const recreate = (building: Building): PlannedRequest | undefined => {
  const { context, change } = building
  const operation = operationOf(building, 'create')
  const { before } = change
  if (operation === undefined || before === null) return undefined
  const complete = context.resource.parts.every((part) => {
    const values = Object.entries(entriesOf(part)).filter(([, entry]) => isSent(entry, 'create'))
    return values.every(([name]) => before[name] === undefined || (isInline(part) && !holdsSealed(before[name])))
  })
  if (!complete) return undefined
  const scope = futureScope(building, before, false)
  return inverseOf(() =>
    writeRequest(building, operation, scope, createBody(building, context.resource.parts, before, {}, scope)),
  )
}
