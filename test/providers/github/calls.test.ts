import { describe, expect, it } from 'vitest'
import { loadReadHistory } from '../../../core/engine/state/runs/reads.ts'
import { declaredResources, fillOrganization } from '../../bench/github/organization.ts'
import { driveGitHub } from './drive.ts'

const count = 30

/** What was sent since the last look. */
const callsOf = ({ requests, forget }: Awaited<ReturnType<typeof driveGitHub>>['github']) => {
  const all = { sent: requests.length, counted: requests.filter(({ counted }) => counted).length }
  forget()
  return all
}

/** How many requests the last check expected: in all, and those that count. */
const forecastOf = ({ progress }: Awaited<ReturnType<typeof driveGitHub>>) => {
  const found = progress.findLast((event) => event.step === 'forecast')
  if (found?.step !== 'forecast') throw new Error('there is no forecast')
  return { sent: found.counted + found.free, counted: found.counted }
}

/** Within 10 %. */
const isNear = (expected: number, found: number): boolean => Math.abs(expected - found) <= 0.1 * found

describe(`${count} repositories with what is usual in them`, () => {
  it('cost few calls, and almost none that counts when nothing changed', async () => {
    await using drive = await driveGitHub(declaredResources(count), { limits: 'github' })
    fillOrganization(drive.github, count)
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    const cold = callsOf(drive.github)
    expect(cold.sent).toBeLessThanOrEqual(8 * count)
    expect([forecastOf(drive), cold]).toSatisfy(([told, found]) => isNear(told.sent, found.sent))
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    const warm = callsOf(drive.github)
    expect(warm.sent).toBeLessThanOrEqual(cold.sent)
    expect([forecastOf(drive), warm]).toSatisfy(([told, found]) => isNear(told.sent, found.sent))
    expect(forecastOf(drive).counted).toBeLessThanOrEqual(0.05 * cold.counted)
    expect(warm.counted).toBeLessThanOrEqual(0.05 * cold.counted)
    // The second check within a minute counts what the first one spent.
    const { spent = {} } = await loadReadHistory(drive.deps.store, 'w')
    expect(spent['github']?.reduce((sum, [, points]) => sum + points, 0)).toBe(cold.sent + warm.sent)
    expect(drive.github.limits.seen).toMatchObject({ primary: 0, secondary: 0 })
    expect(drive.github.violations).toEqual([])
  })
})
