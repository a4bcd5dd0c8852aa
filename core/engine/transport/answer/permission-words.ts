import { type Command, isSuccess, type Response } from '../../schema/command.ts'
import { meantStatus } from './answer-errors.ts'

/** Removes characters that are not usual in names of permissions, because the text comes from the target. */
const strange = /[^\w:.=,; /-]+/g
const longestName = 200

export const permissionAt = (names: readonly string[], { headers }: Response): string | undefined => {
  const texts = names.map((name) => (headers[name.toLowerCase()] ?? '').replace(strange, ' ').trim())
  // A text that is no name is not cut: half of a secret in it would not be found.
  return texts.find((text) => text !== '' && text.length <= longestName)
}

/**
 * The permission that a refused command lacks; `undefined` if the refusal has another cause, or if the permission is
 * unknown.
 */
export const permissionFor = (command: Command, response: Response): string | undefined => {
  const status = meantStatus(command, response)
  if (isSuccess(command, status) || response.limited !== undefined) return undefined
  if (status !== 403 && status !== 404) return undefined
  const { headers = [], stated } = command.errors?.permission ?? {}
  return permissionAt(headers, response) ?? stated
}
