import { elementsOf, memberOf, textOf, type Value } from '../read/value.ts'
import type { ViewCheck } from './plan-view.ts'

const told = (entry: Value, kind: string): ViewCheck => ({
  address: textOf(memberOf(memberOf(entry, 'address'), 'to_display')) ?? '',
  kind,
  status: textOf(memberOf(entry, 'status')) ?? 'unknown',
  problems: elementsOf(memberOf(entry, 'problems')).flatMap((problem) => {
    const message = textOf(memberOf(problem, 'message'))
    return message === undefined ? [] : [message]
  }),
})

/** All that did not pass, by instance; what has none stands for itself. */
export const readChecks = (checks: Value | undefined): readonly ViewCheck[] =>
  elementsOf(checks).flatMap((check) => {
    const kind = textOf(memberOf(memberOf(check, 'address'), 'kind')) ?? ''
    const whole = told(check, kind)
    if (whole.status === 'pass') return []
    const instances = elementsOf(memberOf(check, 'instances')).map((instance) => told(instance, kind))
    const failed = instances.filter(({ status }) => status !== 'pass')
    return failed.length === 0 ? [whole] : failed
  })
