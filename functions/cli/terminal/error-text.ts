import {
  type AppError,
  asAppError,
  type Deps,
  defined,
  isAppError,
  renderError,
  renderIssues,
  type Warning,
} from '#core'
import { seenIssues } from './error-folder.ts'

/** Says what happened and what to do; for a configuration, lists every problem at its place, in the folder `near`. */
export const errorText = (error: AppError, color: boolean, near?: string): string =>
  isAppError(error, 'CONFIG_INVALID') ? renderIssues(seenIssues(error, near), { color }) : renderError(error, { color })

export const errorValue = (error: AppError) => ({
  error: {
    code: error.code,
    message: error.message,
    hint: error.hint,
    ...defined({ issues: isAppError(error, 'CONFIG_INVALID') ? error.payload.issues : undefined }),
  },
})

export type Warn = Deps['warn']

export const warningText = (warning: Warning): string => {
  const { message, hint } = asAppError(warning.error)
  return `${whatWaits(warning)}: ${message}; ${hint}`
}

const whatWaits = ({ kind, workspace, alert }: Warning): string => {
  if (kind === 'lock_waits') return `the lock of ${workspace} was not renewed and is tried again`
  if (kind === 'anchor_waits') return `the ledger of ${workspace} was not anchored and is tried again`
  if (kind === 'answers_lost') return `kept answers of ${workspace} are not used`
  if (kind === 'check_cut') return `the check of ${workspace} cannot go on, and ends with what was read`
  if (kind === 'holdings_lost') return `what ${workspace} manages was not stored, and other workspaces learn it later`
  if (kind === 'record_damaged') return `something that is stored of ${workspace} was left out`
  if (kind === 'alert_lost')
    return `an alert of ${workspace} (${alert?.at}) was not delivered for a day, and is given up`
  return alert === undefined ? `alerts of ${workspace} may wait` : `an alert of ${workspace} (${alert.at}) waits`
}
