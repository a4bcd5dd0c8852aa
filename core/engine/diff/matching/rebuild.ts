import type { Json, JsonList, JsonObject, MaybeJson } from '../../schema/json.ts'

/*
 * Rebuilding keeps identity: if nothing changes, the same object is returned. So resources that are in sync need no
 * memory, and one comparison shows that nothing changed.
 */

/** Members for which `change` returns `undefined` are left out. */
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

export const rebuildArray = (value: JsonList, change: (inner: Json, index: number) => Json): JsonList =>
  keepIfEqual(value, value.map(change))

export const keepIfEqual = (old: JsonList, next: JsonList): JsonList =>
  old.length === next.length && next.every((element, index) => element === old[index]) ? old : next

/** Sets a member; `undefined` removes it. */
export const withMember = (value: JsonObject, member: string, inner: MaybeJson): JsonObject => {
  if (value[member] === inner && Object.hasOwn(value, member) === (inner !== undefined)) return value
  if (inner !== undefined) return { ...value, [member]: inner }
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== member))
}
