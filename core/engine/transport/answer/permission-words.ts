import { type Command, isSuccess, type Response } from '../../schema/command.ts'
import { meantStatus } from './answer-errors.ts'

/** What may be in a name of a permission, with its level: the text comes from the target. */
const strange = /[^\w:.=,; /-]+/g
const longestName = 200

/** The permission that a refused request needs, as one of these headers of the answer names it. */
export const permissionAt = (names: readonly string[], { headers }: Response): string | undefined => {
  const texts = names.map((name) => (headers[name.toLowerCase()] ?? '').replace(strange, ' ').trim())
  return texts.find((text) => text !== '')?.slice(0, longestName)
}

/** The permission without which a command is refused as it was; `undefined`: the refusal is about something else, or nobody knows. */
export const permissionFor = (command: Command, response: Response): string | undefined => {
  const status = meantStatus(command, response)
  if (isSuccess(command, status) || response.limited !== undefined) return undefined
  if (status !== 403 && status !== 404) return undefined
  const { headers = [], stated } = command.errors?.permission ?? {}
  return permissionAt(headers, response) ?? stated
}
