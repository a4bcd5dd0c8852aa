import type { Response } from '../../../schema/command.ts'
import type { Permissions } from '../../../schema/permissions.ts'
import type { Operation } from '../document/operation.ts'

/** What may be in a name of a permission, with its level: the text comes from the target. */
const strange = /[^\w:.=,; /-]+/g
const longestName = 200

/** The permission that a refused request needs, as a header of the answer names it. */
export const permissionIn = ({ errors }: Operation, { headers }: Response): string | undefined => {
  const names = [errors?.permission?.header ?? []].flat()
  const texts = names.map((name) => (headers[name.toLowerCase()] ?? '').replace(strange, ' ').trim())
  return texts.find((text) => text !== '')?.slice(0, longestName)
}

/** The same as a document states it; `undefined`: it does not, or nothing is needed. */
export const permissionText = (stated: Permissions | undefined): string | undefined => {
  const each = Object.entries(stated ?? {}).map(([name, level]) => `${name}=${level}`)
  return each.length === 0 ? undefined : each.join(', ')
}
