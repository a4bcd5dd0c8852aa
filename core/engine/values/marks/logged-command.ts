import type { Command } from '../../schema/command.ts'
import { isArray, isObject, type JsonObject } from '../../schema/json.ts'
import type { LedgerEntry } from '../../schema/stored/records.ts'

export const loggedCommand = ({ command }: LedgerEntry): Command | undefined =>
  command !== undefined && isCommand(command) ? command : undefined

/** A shallow check of the used members is enough: only Plumbline writes entries, and the hash reveals a changed one. */
const isCommand = (value: JsonObject): value is JsonObject & Command => {
  const { id, request } = value
  return (
    typeof id === 'string' &&
    isObject(request) &&
    typeof request['method'] === 'string' &&
    (typeof request['url'] === 'string' || isArray(request['url']))
  )
}
