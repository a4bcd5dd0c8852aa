import { asAppError, type Deps, type Warning } from '#core'

export type Warn = Deps['warn']

/** One line for a terminal. */
export const warningText = ({ workspace, alert, error }: Warning): string => {
  const what = alert === undefined ? `alerts of ${workspace} may wait` : `an alert of ${workspace} (${alert.at}) waits`
  const { message, hint } = asAppError(error)
  return `${what}: ${message}; ${hint}`
}
