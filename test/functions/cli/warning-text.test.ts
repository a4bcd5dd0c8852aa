import { expect, it } from 'vitest'
import { AppError } from '#core'
import { warningText } from '../../../functions/cli/terminal/error-text.ts'
import { warnOnce } from '../../../functions/dev/report.ts'

const waits = (id: string, error: unknown) =>
  ({ kind: 'alert_waits', workspace: 'acme', alert: { id, at: '2026-11-21T06:00:00.000Z' }, error }) as const

it.each([
  [
    new AppError('ALERT_REFUSED', { detail: 'AuthorizationErrorException' }),
    'an alert of acme (2026-11-21T06:00:00.000Z) waits: the alert was not published: AuthorizationErrorException; it stays queued and is published later',
  ],
  [new RangeError('a secret'), 'an alert of acme (2026-11-21T06:00:00.000Z) waits: '],
])('an alert that waits is said with its reason: %s', (error, text) => {
  expect(warningText(waits('a', error))).toContain(text)
  expect(warningText(waits('a', error))).not.toContain('a secret')
})

it('an outbox that cannot be read is said too', () => {
  const error = new AppError('STORE_UNAVAILABLE', { detail: 'time-out' })
  expect(warningText({ kind: 'alert_waits', workspace: 'acme', error })).toMatch(/^alerts of acme may wait: the store/)
})

it('a lock that was not renewed is said', () => {
  const error = new AppError('STORE_UNAVAILABLE', { detail: 'time-out' })
  expect(warningText({ kind: 'lock_waits', workspace: 'acme', error })).toMatch(
    /^the lock of acme was not renewed and is tried again: the store does not respond: time-out; /,
  )
})

it('a dev, which tries every few seconds, says the same once', () => {
  const said: string[] = []
  const warn = warnOnce((text) => said.push(text))
  for (let n = 0; n < 3; n += 1) warn(waits('a', new AppError('ALERT_REFUSED', { detail: 'NotFoundException' })))
  warn(waits('a', new AppError('ALERT_REFUSED', { detail: 'KMSDisabledException' })))
  expect(said).toHaveLength(2)
})
