import type { Issue } from '../../../engine/schema/issue.ts'
import type { Failure } from '../../../engine/schema/stored/records.ts'
import { defined } from '../../../engine/values/defined.ts'
import { placeText } from '../../../engine/values/diagnose.ts'
import { foreign, when } from '../characters/prose.ts'
import type { Report } from './report.ts'

export interface FailedCheck {
  readonly title: string
  readonly error: Failure
  /** Of an invalid configuration: they say more than the error does. */
  readonly issues?: readonly Issue[] | undefined
  /** ISO 8601. */
  readonly at?: string | undefined
}

/** The report of a check without a plan: it says why, so that it never looks like one that found nothing. */
export const reportOfFailure = ({ title, error, issues = [], at }: FailedCheck): Report => {
  const { code, message, hint } = error
  return {
    title,
    headline: ['the check failed'],
    tone: 'unknown',
    ...defined({ at }),
    notes: [],
    tallies: [],
    modules: [],
    sections: [],
    lists: [
      {
        title: 'Failed',
        symbol: '?',
        brief: '',
        entries:
          issues.length === 0
            ? [{ what: code, level: 'error', words: [foreign(message), '; ', foreign(hint)] }]
            : issues.map(({ message: what, value, fix, ...place }) => ({
                what: placeText(place),
                level: 'error',
                place,
                words: [
                  foreign(what),
                  ...when(value !== undefined, ' (is: ', foreign(value ?? ''), ')'),
                  '; ',
                  foreign(fix),
                ],
              })),
      },
    ],
  }
}
