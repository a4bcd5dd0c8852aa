import type { Json } from '../../../engine/schema/json.ts'
import { soundsCreated } from '../../../engine/values/texts/name-words.ts'
import { isKept, lastingIds, type RestDocument, shownIds } from '../../../providers/rest/document/document.ts'
import { isReadableById } from '../../../providers/rest/document/ids.ts'
import { isLink } from '../../../providers/rest/document/references.ts'
import { pathOf, variablesOf } from '../../../providers/rest/document/shared/template.ts'
import type { Schema } from '../description/description.ts'
import { type Field, fieldsOf, partsOf, type ResourceView, readPlace, resourcesOf } from '../document/document-view.ts'
import { type Findings, finding } from './finding.ts'
import { say } from './words.ts'

/**
 * Finds types of which nothing proves that an object is the recorded one: after somebody deleted it and made another one, that is
 * taken for it. `shown`: the schemas of answers with the object, where there is a description.
 */
export function* findUnproven(view: ResourceView, shown?: readonly Schema[]): Findings {
  const { resource, at } = view
  const fields = partsOf(view).flatMap(fieldsOf)
  if (isKept(resource) || isLink(resource) || fields.some(isProof)) return
  const ids = lastingIds(resource)
  const { ids: proof } = resource.identity
  if (ids.length > 0 && proof === 'stable') {
    const chosen = ids.flatMap((id) => chosenBy(view, fields, id) ?? [])[0]
    if (chosen !== undefined) yield finding([...at, 'identity'], say('chosenId', chosen))
    if (!isReadableById(resource)) yield finding([...at, 'serverId'], say('idNotRead', ids))
    if (chosen === undefined) return
  }
  if (proof === 'position') return
  const times = shown?.flatMap(timesIn) ?? []
  // A description without a time of creation leaves nothing to set.
  if (times.length > 0 || (shown === undefined && ids.length === 0))
    yield finding([...at, 'identity'], say('nameAlone', [...new Set(times)]))
}

/** Where answers have a time of creation: a member of the object, or of one that describes it. */
export const timesIn = (shown: Schema): readonly string[] =>
  [...shown.properties()].flatMap(([name, inner]) => [
    ...(soundsCreated(name) ? [name] : []),
    ...[...inner.properties().keys()].filter(soundsCreated).map((each) => `${name}.${each}`),
  ])

/** Finds types that contain others by a name alone, though an id could tell that another object has the name now. */
export function* findNamedContainers(document: RestDocument): Findings {
  const views = resourcesOf(document)
  const naming = views.flatMap((view) =>
    partsOf(view).flatMap((part) => fieldsOf(part).map(({ entry }) => ({ by: view.name, entry }))),
  )
  for (const { name, resource, at } of views) {
    const { identity, serverId = {} } = resource
    const id = lastingIds(resource).find((each) => typeof serverId[each] === 'string')
    if (id === undefined || identity.container !== undefined || identity.ids === 'position') continue
    const inside = naming.filter(
      ({ entry: { in: where, refersTo } }) =>
        where === 'path' && refersTo?.type === name && !Object.hasOwn(serverId, refersTo.attribute ?? ''),
    )
    const named = [...new Set(inside.map(({ by }) => by))]
    if (named.length > 0) yield finding([...at, 'identity'], say('namedContainer', named, id))
  }
}

/** The server gives it to each object once. */
const isProof = ({ entry }: Field): boolean => entry.computed === true && entry.immutable === true

/** The attribute that the client sends, and the server shows as the id. */
const chosenBy = ({ resource }: ResourceView, fields: readonly Field[], id: string): string | undefined => {
  const place = JSON.stringify(pathOf(shownIds(resource)[id] ?? id))
  const { create } = resource.operations
  const sent = variablesOf([create?.path ?? '', (create?.body ?? null) as Json]).map(([name]) => String(name))
  return fields.find(
    (field) =>
      field.entry.computed !== true &&
      (JSON.stringify(readPlace(field)) === place || (field.name === id && sent.includes(id))),
  )?.name
}
