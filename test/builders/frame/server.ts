import { isArray, isObject, type Json, type JsonObject } from '../../../core/engine/schema/json.ts'
import { mergeJson, patchJson } from '../servers/things-api.ts'
import type { FrameDocument, Shape } from './shape.ts'

/* Servers that merge, that replace objects, and that replace lists; some of them add members of their own. */

const deeply = (there: Json | undefined, body: Json): Json =>
  isObject(there) && isObject(body)
    ? {
        ...there,
        ...Object.fromEntries(Object.entries(body).map(([name, value]) => [name, deeply(there[name], value)])),
      }
    : body

let made = 0

/** An id in each element that has none: an element that was made again has another one. */
const withIds = (shape: Shape | undefined, value: Json, isElement = false): Json => {
  if (isArray(value) && (shape?.kind === 'list' || shape?.kind === 'set'))
    return value.map((each) => withIds(shape.element, each, true))
  if (!isObject(value) || (shape?.kind !== 'object' && shape?.kind !== 'map')) return value
  const inner = (name: string): Shape | undefined => (shape.kind === 'map' ? shape.element : shape.members[name])
  const members = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, withIds(inner(name), child)]))
  if (!isElement || members['sid'] !== undefined) return members
  made += 1
  return { ...members, sid: made }
}

/** What the server adds to an object by itself. */
export const withOwn = ({ members }: Pick<FrameDocument, 'members'>, state: JsonObject): JsonObject => ({
  ...(withIds({ kind: 'object', members }, state) as JsonObject),
  rev: Number(state['rev'] ?? 0) + 1,
})

/** The state after a request with this body. */
export const answerTo = (
  document: Pick<FrameDocument, 'way' | 'members' | 'addsOwn'>,
  state: JsonObject,
  body: Json,
): JsonObject => {
  const { way, addsOwn } = document
  const next = (() => {
    switch (way.server) {
      case 'shallow':
        return { ...state, ...(body as JsonObject) }
      case 'deep':
        return deeply(state, body)
      case 'replace':
        return { ...(body as JsonObject), name: state['name'] ?? '' }
      case 'merge':
        return mergeJson(state, body)
      case 'patch':
        return patchJson(state, body as unknown as Parameters<typeof patchJson>[1])
    }
  })() as JsonObject
  return addsOwn ? withOwn(document, next) : next
}
