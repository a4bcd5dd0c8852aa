import { parseArgs } from 'node:util'
import { assumed, billOf, type Fleet, type Line, type Measured, standing } from './bill.ts'
import { measure } from './measure.ts'
import table from './prices.json' with { type: 'json' }

/*
 * `npm run cost -- --workspaces 100 --resources 50 --drift 0.01 --interval 60`: what a fleet costs a month on AWS. Requests are
 * counted while real checks, ticks and looks run on a store that meters itself; prices are those of prices.json.
 */

const defaults: Fleet = {
  workspaces: 100,
  resources: 50,
  drift: 0,
  interval: 60,
  hanging: 0,
  latency: 200,
  memory: 1024,
  concurrency: 10,
  together: 0,
  sharing: 1,
  manager: 0,
}

const fleetOf = (args: readonly string[]): Fleet => {
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' as const }]))
  const { values } = parseArgs({ args: [...args], options })
  const given = Object.entries(values).map(([name, text]) => {
    const value = Number(text)
    if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} ${String(text)}: is not a number of 0 or more`)
    return [name, value] as const
  })
  const fleet = { ...defaults, ...Object.fromEntries(given) }
  for (const name of ['interval', 'resources', 'concurrency', 'memory', 'sharing'] as const)
    if (fleet[name] <= 0) throw new Error(`--${name} 0: is not more than 0`)
  for (const name of ['drift', 'manager'] as const)
    if (fleet[name] > 1) throw new Error(`--${name} ${fleet[name]}: is a part of all, at most 1`)
  if (fleet.together > 10) throw new Error(`--together ${fleet.together}: is more than an invocation takes, 10`)
  return fleet
}

const figure = (amount: number): string =>
  amount < 100 ? String(Number(amount.toPrecision(3))) : Math.round(amount).toLocaleString('en')
const money = (amount: number): string => `$${amount.toFixed(2)}`

const print = (lines: readonly Line[]): void => {
  for (const { what, amount, unit, money: cost } of lines)
    console.log(`  ${what.padEnd(30)}${figure(amount).padStart(13)} ${unit.padEnd(9)}${money(cost).padStart(9)}`)
}
const sum = (lines: readonly Line[]): number => lines.reduce((total, each) => total + each.money, 0)
const total = (name: string, amount: number): void => console.log(`  ${name.padEnd(53)}${money(amount).padStart(9)}`)

/** What each measure against costs saves: the bill without it, less the bill. */
const savings = (fleet: Fleet, measured: Measured): readonly (readonly [string, number])[] => {
  const { due } = measured
  const now = sum(billOf(fleet, measured))
  const without = (bill: readonly Line[]): number => sum(bill) - now
  return [
    ['checks that share an invocation', without(billOf({ ...fleet, together: 1 }, measured))],
    [
      'a single write is no transaction',
      without(billOf(fleet, { ...measured, due: { ...due, written: due.written + 1 } })),
    ],
    [
      'no metrics that are zero',
      without(billOf(fleet, measured, { ...standing, metrics: { always: 15, ofChecks: 1 } })),
    ],
    ['no alarms for what others show', without(billOf(fleet, measured, { ...standing, alarms: 38 }))],
  ]
}

const readArguments = (): Fleet => {
  try {
    return fleetOf(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\noptions, with what they are when not given:`)
    for (const [name, value] of Object.entries(defaults)) console.error(`  --${name.padEnd(12)} ${value}`)
    process.exit(2)
  }
}

const fleet = readArguments()
const measured = await measure(fleet)
const lines = billOf(fleet, measured)
const moving = lines.filter(({ moves }) => moves)
const fixed = lines.filter(({ moves }) => !moves)
const { check, due, tick } = measured
console.log(
  `${fleet.workspaces} workspaces of ${fleet.resources} resources, ${fleet.drift * 100} % of them drifted, checked every ${fleet.interval} minutes${fleet.hanging > 0 ? `; ${fleet.hanging} more hang` : ''}`,
)
console.log(
  `one check: ${check.written} write units, ${check.read} read units, ${check.asked} requests to its target; to queue it: ${figure(due.written)} and ${figure(due.read)}; a tick: ${tick.written} and ${tick.read}`,
)
if (fleet.hanging > 0) console.log(`a check that hangs: ${figure(measured.hangingCheck.waited)} s`)
console.log(`\nA month, by the fleet (${table.region}, prices of ${table.asOf}, without the free tier)`)
print(moving)
total('by the fleet', sum(moving))
console.log('\nWhatever the fleet does')
print(fixed)
total('whatever the fleet does', sum(fixed))
console.log('')
total('together', sum(lines))
console.log('\nWhat it would cost more without')
for (const [name, amount] of savings(fleet, measured)) total(name, amount)
console.log(
  `\nAssumed, not counted: an answer of a target takes ${fleet.latency} ms, one of the store ${assumed.perStored * 1000} ms; an invocation logs ${assumed.logged} bytes, and ${assumed.loggedByCheck} for each check; Lambda asks each queue with ${assumed.pollers} connections; ${standing.metrics.always} metrics always have a value, ${standing.metrics.ofChecks} more where there are checks.`,
)
