import { expect, test, vi } from 'vitest'
import { AppError } from '#core'
import type { MetricName } from '../../functions/metric-names.ts'
import { emit, loggable, metrics, writeMetrics } from '../../functions/middleware/observe.ts'

const parseSecret = (): unknown => {
  try {
    return JSON.parse('canary-4711 is no JSON')
  } catch (error) {
    return error
  }
}

test('an error of this program is logged whole', () => {
  expect(loggable(new AppError('RUN_NOT_FOUND', { run: 'r' }))).toMatchObject({
    code: 'RUN_NOT_FOUND',
    message: expect.stringContaining('"r"'),
  })
})

test.each([
  ['an error of a parser', parseSecret()],
  [
    'one that an error of ours was made of',
    new AppError('INTERNAL', { detail: 'canary-4711' }, { cause: parseSecret() }),
  ],
  ['one with several lines', new Error('canary-4711\nat canary-4711')],
  ['a text', 'canary-4711'],
])('%s is logged by name and place only', (_, error) => {
  const told = loggable(error)
  expect(JSON.stringify(told)).not.toContain('canary')
  expect(JSON.stringify(told)).toMatch(/name/)
})

test('a foreign error is logged with the place where it happened', () => {
  expect(JSON.stringify(loggable(new TypeError('x')))).toMatch(/TypeError.*observe\.test\.ts/)
})

test('counted metrics are written once, and an invocation that counted nothing writes nothing', () => {
  metrics.clearMetrics()
  const written = vi.spyOn(metrics, 'publishStoredMetrics')
  writeMetrics()
  expect(written).toHaveBeenCalledTimes(0)
  emit('ChecksDone')
  writeMetrics()
  writeMetrics()
  expect(written).toHaveBeenCalledTimes(1)
  written.mockRestore()
})

test.each<readonly [name: MetricName, value: number, written: boolean]>([
  ['ChecksEnqueued', 0, false],
  ['ChecksEnqueued', 3, true],
  ['DueFailed', 0, false],
  ['DueFailed', 1, true],
  ['WorkspacesOverdue', 0, true],
  ['OldestWaitingAlertSeconds', 0, true],
  ['MostOverdueSeconds', 0, false],
])('%s with %i is written only if it is missed otherwise: %s', (name, value, written) => {
  metrics.clearMetrics()
  emit(name, value)
  expect(metrics.hasStoredMetrics()).toBe(written)
  metrics.clearMetrics()
})

test('what has its alarm in another metric is counted there too', () => {
  metrics.clearMetrics()
  emit('ChecksRefused', 2)
  emit('DueFailed', 0)
  emit('ResendFailed')
  expect(metrics.serializeMetrics()).toMatchObject({ ChecksRefused: 2, ResendFailed: 1, TickBlocked: [2, 1] })
  metrics.clearMetrics()
})
