import type { Json, JsonList, JsonObject, MaybeJson } from '../../schema/json.ts'

/*
 * Rebuilding keeps identity: if nothing changes, the same object is returned. So resources that are in sync need no
 * memory, and "nothing changed" is one comparison.
 */

/** The members, changed by `change`; those for which it returns `undefined` are left out. */
export const rebuildObject = (value: JsonObject, change: (inner: Json, member: string) => MaybeJson): JsonObject => {
  const names = Object.keys(value)
  let members: [string, Json][] | undefined
  for (let index = 0; index < names.length; index++) {
    const member = names[index] as string
    const inner = value[member] as Json
    const next = change(inner, member)
    if (next !== inner) members ??= names.slice(0, index).map((name) => [name, value[name] as Json])
    if (next !== undefined) members?.push([member, next])
  }
  return members === undefined ? value : Object.fromEntries(members)
}

/** The elements, changed by `change`. */
export const rebuildArray = (value: JsonList, change: (inner: Json, index: number) => Json): JsonList =>
  keepIfEqual(value, value.map(change))

/** The old array if the new one has the same elements. */
export const keepIfEqual = (old: JsonList, next: JsonList): JsonList =>
  old.length === next.length && next.every((element, index) => element === old[index]) ? old : next

/** Sets a member, or removes it for `undefined`. */
export const withMember = (value: JsonObject, member: string, inner: MaybeJson): JsonObject => {
  if (value[member] === inner && Object.hasOwn(value, member) === (inner !== undefined)) return value
  if (inner !== undefined) return { ...value, [member]: inner }
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== member))
}
