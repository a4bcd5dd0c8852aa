import { describe, expect, it } from 'vitest'
import { listRuns } from '../../../../core/engine/state/runs/runs.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import { long } from '../../../builders/long.ts'
import { aSilentHost, things, workspaceOf } from '../../../builders/servers/silent-host.ts'
import { actor, movableClock, testDeps } from '../../../builders/workspaces/workspace.ts'

const folders = (count: number) => Array.from({ length: count }, (_, n) => things(`zone${n}`, 1)).flat()

const check = async (
  resources: readonly object[],
  answers: (url: string) => boolean = () => false,
  more: object = {},
) => {
  const clock = movableClock()
  await using host = await aSilentHost(clock, answers)
  const given = testDeps({ clock, bundle: workspaceOf({ things: host.url }, resources, more), wire: host.wire })
  const begun = clock.monotonic()
  const { run, plan } = await checkWorkspace({ workspace: 'many', trigger: 'cli', actor }, given.deps)
  const unchecked = plan?.unchecked ?? []
  return {
    run,
    unchecked,
    details: new Set(unchecked.map(({ detail }) => detail.replace(host.url, 'HOST'))),
    seconds: (clock.monotonic() - begun) / 1_000,
    asked: host.silent(),
    alerts: given.alerts,
    stored: await listRuns(given.deps.store, 'many', { limit: 5 }),
  }
}

describe('a check of a hundred objects behind a host that never answers', () => {
  it.each([
    [
      'beside each other',
      things('things', 100),
      'HOST/things/ does not respond (no whole answer within 30000 ms); no further requests were sent to it',
    ],
    [
      'each at a place of its own',
      folders(100),
      'HOST does not respond (no whole answer within 30000 ms); no further requests were sent to it',
    ],
  ])('is stored as incomplete within two minutes, and reports the cause once: %s', async (_, resources, cause) => {
    const { run, unchecked, details, seconds, asked, alerts, stored } = await check(resources)
    expect(run.error).toBeUndefined()
    expect(run.status).toBe('incomplete')
    expect(stored.items).toEqual([run])
    expect(run.causes).toEqual([
      { reason: 'timeout', detail: expect.stringContaining(cause.replace('HOST', '')), count: 100 },
    ])
    expect(unchecked).toHaveLength(100)
    expect(new Set(unchecked.map(({ reason }) => reason))).toEqual(new Set(['timeout']))
    expect([...details]).toEqual([cause])
    expect(seconds).toBeLessThanOrEqual(120)
    expect(asked).toBeLessThanOrEqual(12)
    expect(alerts).toMatchObject([{ about: 'unchecked', kind: 'opened' }])
  })
})

describe('a host that answers some requests and not others', () => {
  it('makes only the slow objects unchecked, whatever their order', long, async () => {
    for (const resources of [
      [...things('slow', 40), ...things('fast', 40)],
      [...things('fast', 40), ...things('slow', 40)],
      [...things('slow', 20), ...things('fast', 40), ...things('slower', 20)],
      [...things('slow', 20), ...things('slower', 20), ...things('fast', 40)],
    ]) {
      const { unchecked } = await check(resources, (url) => url.startsWith('/fast/'))
      expect(unchecked.filter(({ address }) => address.includes('fast'))).toEqual([])
      expect(unchecked).toHaveLength(40)
    }
  })
})
