import { describe, expect, it } from 'vitest'
import type { Run } from '#core'
import { awaitRun } from '../../../functions/cli/backend/await-run.ts'
import { aRun } from '../../builders/values/records.ts'

const requestedAt = '2026-11-21T06:00:00.000Z'
const minute = 60_000
const run: Run = { ...aRun(1), scheduledFor: requestedAt }

/** An endpoint by what it answers after some milliseconds; time passes while somebody sleeps. */
const ask = (
  answers: { readonly run?: (at: number) => Run | undefined; readonly pending: (at: number) => string | undefined },
  signal = new AbortController().signal,
) => {
  let passed = 0
  const asked = {
    workspace: 'acme',
    requestedAt,
    findRun: async () => answers.run?.(passed),
    findPending: async () => answers.pending(passed),
  }
  const sleep = async (ms: number) => {
    passed += ms
  }
  return { answer: awaitRun(asked, { signal, monotonic: () => passed, sleep }), passed: () => passed }
}

describe('a client that waits for a check', () => {
  it('gets its run, however long it is pending within half an hour', async () => {
    const isDone = (at: number) => at >= 29 * minute
    const { answer } = ask({
      run: (at) => (isDone(at) ? run : undefined),
      pending: (at) => (isDone(at) ? undefined : requestedAt),
    })
    expect(await answer).toEqual(run)
  })
  it('gets its run where another check is pending by now', async () => {
    expect(await ask({ run: () => run, pending: () => '2026-11-21T06:15:00.000Z' }).answer).toEqual(run)
  })
  it.each([
    ['nothing is pending', undefined],
    ['another one is pending', '2026-11-21T06:15:00.000Z'],
  ])('learns that the check is lost once %s', async (_, later) => {
    const { answer, passed } = ask({ pending: (at) => (at < 2 * minute ? requestedAt : later) })
    await expect(answer).rejects.toMatchObject({ code: 'CHECK_LOST', payload: { workspace: 'acme', requestedAt } })
    expect(passed()).toBe(2 * minute)
  })
  it('learns after half an hour that the check is lost', async () => {
    const { answer, passed } = ask({ pending: () => requestedAt })
    await expect(answer).rejects.toMatchObject({ code: 'CHECK_LOST' })
    expect(passed()).toBe(30 * minute)
  })
  it('may stop waiting', async () => {
    const { answer } = ask({ pending: () => requestedAt }, AbortSignal.abort())
    await expect(answer).rejects.toMatchObject({ code: 'USAGE' })
  })
})
