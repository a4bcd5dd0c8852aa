import { describe, expect, it } from 'vitest'
import { declaredResources, fillOrganization } from '../../bench/github/organization.ts'
import { isLawRun } from '../../builders/laws.ts'
import { driveGitHub } from './drive.ts'

const hour = 3_600_000

describe('an organisation that is too large for the limit of an hour', () => {
  it('is checked in several checks, the oldest first, within the number that was announced', async () => {
    const count = isLawRun ? 40 : 16
    const resources = declaredResources(count)
    // Some 6 requests for each repository, of which nine tenths of the limit fit into an hour.
    await using drive = await driveGitHub(resources, { limits: { perHour: isLawRun ? 70 : 30 } })
    fillOrganization(drive.github, count)
    const read = new Set<string>()
    const forecasts: number[] = []
    while (read.size < resources.length && forecasts.length < 20) {
      drive.progress.splice(0)
      const { plan } = await drive.check()
      const open = new Set(plan.unchecked.map(({ address }) => address))
      expect(new Set(plan.unchecked.map(({ reason }) => reason))).toEqual(new Set(open.size > 0 ? ['budget'] : []))
      expect(plan.changes).toEqual([])
      for (const { type, name } of resources) if (!open.has(`${type}.${name}`)) read.add(`${type}.${name}`)
      const told = drive.progress.find((event) => event.step === 'forecast')
      forecasts.push(told?.step === 'forecast' ? told.checks : 0)
      drive.clock.forward(hour)
      drive.github.clock.advance(hour)
    }
    expect(read.size).toBe(resources.length)
    // The first check does not know the limit yet; each other one says how many there are from it on.
    for (const [n, told] of forecasts.entries()) if (n > 0) expect(forecasts.length - n).toBeLessThanOrEqual(told)
    expect(forecasts.length).toBeGreaterThan(2)
    expect(drive.github.limits.seen).toMatchObject({ primary: 0, secondary: 0 })
  })
})
