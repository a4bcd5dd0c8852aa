import { readFileSync } from 'node:fs'
import { systemClock } from '../../../functions/adapters/clock.ts'
import { driveBundle } from '../../builders/workspaces/example-workspace.ts'
import { yaml } from '../../builders/workspaces/workspace.ts'

/*
 * A process of its own, so that the memory of the stand-in is not counted: checks one workspace several times, and writes one
 * line of JSON for each check. Arguments: the file of the workspace, the address of GitHub, a token, and how many checks.
 */

const [file = '', base = '', token = '', times = '2'] = process.argv.slice(2)
const drive = driveBundle(
  {
    secrets: { 'env:TOKEN': token },
    base,
    changes: { clock: systemClock, limits: { concurrency: 10, leaseMs: 10_000 } },
  },
  yaml(readFileSync(file, 'utf8')),
  'w',
)

/** Of a check: what it said before, and what it was. */
export interface CheckFigures {
  readonly seconds: number
  readonly changes: number
  readonly unchecked: number
  readonly megabytes: number
  /** Why the first one was not checked. */
  readonly why?: string
  readonly forecast?: { readonly counted: number; readonly free: number; readonly seconds?: number }
}

for (let n = 0; n < Number(times); n += 1) {
  drive.progress.splice(0)
  const start = performance.now()
  const { plan } = await drive.check()
  const forecast = drive.progress.find((event) => event.step === 'forecast')
  const figures: CheckFigures = {
    seconds: (performance.now() - start) / 1000,
    changes: plan.changes.length,
    unchecked: plan.unchecked.length,
    // Kilobytes: https://nodejs.org/api/process.html#processresourceusage
    megabytes: process.resourceUsage().maxRSS / 1024,
    ...(plan.unchecked[0] && { why: `${plan.unchecked[0].reason}: ${plan.unchecked[0].detail}` }),
    ...(forecast?.step === 'forecast' && { forecast }),
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`)
}
