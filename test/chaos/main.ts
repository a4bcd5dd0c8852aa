import { runChaos, type Verdict } from './apply-chaos.ts'

/*
 * `npm run chaos:apply [count] [seed]`: applies that are killed, suspended past their lease or cut from the store at any
 * point, each challenged by a second worker. Ends with 1 where a write was done twice, a request has no ledger entry or
 * something does not converge.
 */

const [count = 300, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
const endsOf = (verdicts: readonly Verdict[], of: (verdict: Verdict) => string): string => {
  const counts = Map.groupBy(verdicts, of)
  return [...counts].map(([end, all]) => `${end} ${all.length}`).join(', ')
}

let done = 0
const begun = performance.now()
const verdicts = await runChaos({ count, seed, atOnce: 6 }, ({ case: one, faults, victim }) => {
  done += 1
  if (process.stderr.isTTY) process.stderr.write(`\r${done}/${count} `)
  if (faults.length > 0) console.error(JSON.stringify({ ...one, victim, faults }))
})
const bad = verdicts.filter(({ faults }) => faults.length > 0)
const sum = (of: (verdict: Verdict) => number): number => verdicts.reduce((all, each) => all + of(each), 0)
console.log(`seed ${seed}, ${count} applies in ${Math.round((performance.now() - begun) / 1000)} s`)
console.log(`disturbed: ${endsOf(verdicts, ({ case: { disturbance } }) => disturbance)}`)
console.log(`the disturbed ended: ${endsOf(verdicts, ({ victim }) => victim)}`)
console.log(`the challengers ended: ${endsOf(verdicts, ({ challenger }) => challenger)}`)
console.log(
  `${sum(({ writes }) => writes)} writes at the socket, ${sum(({ attempts }) => attempts)} attempts in ledgers`,
)
console.log(
  bad.length === 0 ? 'no write was done twice, none was sent without an entry, all converged' : `${bad.length} BAD`,
)
process.exitCode = bad.length === 0 ? 0 : 1
