import { appendLedger } from '../../../core/engine/state/ledger.ts'
import { systemClock } from '../../../functions/adapters/clock.ts'
import { openSqliteStore } from '../../../functions/adapters/sqlite/store.ts'
import { aDraft } from '../../builders/values/records.ts'

/*
 * Adds entries to the ledger of one file until the time is over or somebody kills it. It says each entry before it is written and
 * after it was: what it said last and nothing after may be there or not.
 */

const [file = '', name = '', until = '0'] = process.argv.slice(2)
const store = await openSqliteStore({ file, clock: systemClock })
for (let n = 0; Date.now() < Number(until); n += 1) {
  const reason = `${name}-${n}`
  process.stdout.write(`try ${reason}\n`)
  await appendLedger(store, 'acme', [aDraft(0, { reason })])
  process.stdout.write(`done ${reason}\n`)
}
store.close()
