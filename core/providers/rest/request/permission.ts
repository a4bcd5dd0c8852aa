import type { Response } from '../../../engine/schema/command.ts'
import type { Permissions } from '../../../engine/schema/permissions.ts'
import { permissionAt } from '../../../engine/transport/answer/permission-words.ts'
import type { Operation } from '../document/operation/operation.ts'

/** Where answers of an operation name the permission that a refused request needs. */
export const permissionHeaders = ({ errors }: Operation): readonly string[] => [errors?.permission?.header ?? []].flat()

/** The permission that a refused request needs, as a header of the answer names it. */
export const permissionIn = (operation: Operation, response: Response): string | undefined =>
  permissionAt(permissionHeaders(operation), response)

/** The same as a document states it; `undefined`: it does not, or nothing is needed. */
export const permissionText = (stated: Permissions | undefined): string | undefined => {
  const each = Object.entries(stated ?? {}).map(([name, level]) => `${name}=${level}`)
  return each.length === 0 ? undefined : each.join(', ')
}
