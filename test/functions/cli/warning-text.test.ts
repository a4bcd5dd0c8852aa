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
])('a warning names an alert that waits with its reason: %s', (error, text) => {
  expect(warningText(waits('a', error))).toContain(text)
  expect(warningText(waits('a', error))).not.toContain('a secret')
})

it('a warning names alerts that cannot be read', () => {
  const error = new AppError('STORE_UNAVAILABLE', { detail: 'time-out' })
  expect(warningText({ kind: 'alert_waits', workspace: 'acme', error })).toMatch(/^alerts of acme may wait: the store/)
})

it('a warning names a lock that was not renewed', () => {
  const error = new AppError('STORE_UNAVAILABLE', { detail: 'time-out' })
  expect(warningText({ kind: 'lock_waits', workspace: 'acme', error })).toMatch(
    /^the lock of acme was not renewed and is tried again: the store does not respond: time-out; /,
  )
})

it('a dev that tries every few seconds prints the same warning once', () => {
  const said: string[] = []
  const warn = warnOnce((text) => said.push(text))
  for (let n = 0; n < 3; n += 1) warn(waits('a', new AppError('ALERT_REFUSED', { detail: 'NotFoundException' })))
  warn(waits('a', new AppError('ALERT_REFUSED', { detail: 'KMSDisabledException' })))
  expect(said).toHaveLength(2)
})
