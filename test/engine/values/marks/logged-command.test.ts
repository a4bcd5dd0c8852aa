import { expect, it } from 'vitest'
import type { LedgerEntry } from '../../../../core/engine/schema/stored/records.ts'
import { loggedCommand } from '../../../../core/engine/values/marks/logged-command.ts'
import { aCommand } from '../../../builders/values/commands.ts'

const commandIn = (command: unknown) => loggedCommand({ kind: 'intent', command } as unknown as LedgerEntry)

it.each([undefined, {}, { id: 'a' }, { id: 'a', request: { method: 'GET' } }])(
  'an entry of the ledger with an incomplete command is read without it: %j',
  (command) => {
    expect(commandIn(command)).toBeUndefined()
  },
)

it('a command of a ledger entry is read as it was written', () => {
  const command = JSON.parse(JSON.stringify(aCommand('zone.a#2')))
  expect(commandIn(command)).toEqual(command)
})
