import { valueAt } from '../../../engine/json/pointer.ts'
import type { Target } from '../../../engine/provider/provider.ts'
import type { Json, JsonObject } from '../../../engine/schema/json.ts'
import type { PresentResult, ReadResult, UnknownResult } from '../../../engine/schema/resource.ts'
import { defined } from '../../../engine/values/defined.ts'
import { pick, unlessEmpty } from '../../../engine/values/members.ts'
import { spellValue } from '../../../engine/values/spell-value.ts'
import { allEntries, sameValue } from '../document/attributes.ts'
import type { RestResource } from '../document/document.ts'
import { pathOf } from '../document/shared/template.ts'
import { askForObject } from '../request/ask.ts'
import { contextOf, objectScope, type ReadContext, type TypeContext } from '../request/context.ts'
import { decodeAll } from '../request/decode.ts'
import { unknowns } from './shared/words.ts'

/** An object that contains another one, whose URL names it. */
interface Container<Of extends TypeContext> {
  /** The attribute of the contained object that names it, and the key that this is. */
  readonly attribute: string
  readonly key: string
  /** The operation that reads it by its keys, and the place of its id. */
  readonly op: string
  readonly id: string
  readonly context: Of
}

export const containersOf = <Of extends TypeContext>(context: Of): readonly Container<Of>[] =>
  Object.entries(allEntries(context.resource)).flatMap(([attribute, { in: where, refersTo }]): Container<Of>[] => {
    const other = where === 'path' && refersTo !== undefined ? contextOf(context, refersTo.type) : undefined
    const { identity, serverId = {} }: Partial<Pick<RestResource, 'identity' | 'serverId'>> = other?.resource ?? {}
    const place = serverId[identity?.container?.id ?? '']
    if (other === undefined || identity?.container === undefined || typeof place !== 'string') return []
    const key = refersTo?.attribute ?? ''
    return [{ attribute, key, op: identity.container.op, id: place, context: other }]
  })

/** The variables of the request that reads a container: what the contained object says of its place. */
export const containerValues = (
  { attribute, key }: Container<TypeContext>,
  { resource }: TypeContext,
  own: JsonObject,
) => {
  const inPath = Object.entries(allEntries(resource)).flatMap(([name, { in: where }]) =>
    where === 'path' ? [name] : [],
  )
  return { ...pick(own, inPath), [key]: own[attribute] ?? null }
}

type Containers = { readonly kind: 'proven'; readonly ids: NonNullable<PresentResult['parents']> } | UnknownResult

/**
 * Which objects contain the target, by their ids. A name alone proves nothing: another object may have it by now, or the API may
 * lead from it to the object that had it before.
 */
export const proveContainers = async (context: ReadContext, target: Target): Promise<Containers> => {
  const ids: Record<string, string> = {}
  for (const container of containersOf(context)) {
    const found = await askContainer(container, context, target)
    if (found === undefined) continue
    if (typeof found !== 'string') return found
    ids[container.attribute] = found
  }
  return { kind: 'proven', ids }
}

/** `undefined`: nothing has the name. */
const askContainer = async (
  container: Container<ReadContext>,
  child: TypeContext,
  { attributes, parents = {} }: Target,
) => {
  const { attribute, key, op, id, context } = container
  const own = attributes[attribute]
  if (own === undefined || own === null || typeof own === 'object') return undefined
  const { refs: _, transport, ...rest } = context
  // Another object under the name has another answer, so a server that confirms the kept one tells that it is the same.
  const apart = { ...rest, transport: transport.confirming ?? transport }
  const scope = objectScope(apart, containerValues(container, child, attributes), {})
  const answer = await askForObject(apart, op, scope, [404])
  if (answer.kind === 'unknown') return { ...answer, detail: `${attribute}: ${answer.detail}` }
  if (answer.kind === 'absent') return undefined
  const entry = allEntries(context.resource)[key]
  const called = entry && decodeAll({ [key]: entry }, answer.object)[key]
  if (entry !== undefined && !sameValue(entry, own, called))
    return unknowns.renamedParent(attribute, spellValue(own), spellValue(called ?? null))
  const found = idText(valueAt(answer.object, pathOf(id)))
  if (found === undefined) return unknowns.parentWithoutId(attribute)
  const known = parents[attribute]
  return known === undefined || known === found ? found : unknowns.otherParent(attribute, spellValue(own), known, found)
}

const idText = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** A result with what contains the object; an object in something that is not there is no object of the target. */
export const withContainers = (
  result: ReadResult,
  ids: NonNullable<PresentResult['parents']>,
  { parents = {} }: Target,
): ReadResult => {
  if (result.kind === 'unknown') return result
  const lost = Object.keys(parents).find((attribute) => ids[attribute] === undefined)
  if (lost !== undefined && result.kind === 'present') return unknowns.noParent(lost)
  return { ...result, ...defined({ parents: unlessEmpty(ids) }) }
}
