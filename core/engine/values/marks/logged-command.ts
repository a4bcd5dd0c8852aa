import type { Command } from '../../schema/command.ts'
import { isArray, isObject, type JsonObject } from '../../schema/json.ts'
import type { LedgerEntry } from '../../schema/stored/records.ts'

/** The command of a ledger entry; `undefined` if the entry has no readable command. */
export const loggedCommand = ({ command }: LedgerEntry): Command | undefined =>
  command !== undefined && isCommand(command) ? command : undefined

/** Only Plumbline writes entries, and the hash reveals a changed one: a shallow check of the members that are used is enough. */
const isCommand = (value: JsonObject): value is JsonObject & Command => {
  const { id, request } = value
  return (
    typeof id === 'string' &&
    isObject(request) &&
    typeof request['method'] === 'string' &&
    (typeof request['url'] === 'string' || isArray(request['url']))
  )
}
