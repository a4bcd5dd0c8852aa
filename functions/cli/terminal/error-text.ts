import { type AppError, defined, isAppError, renderError, renderIssues } from '#core'

/** What happened and what to do; of a configuration every problem at its place. */
export const errorText = (error: AppError, color: boolean): string =>
  isAppError(error, 'CONFIG_INVALID') ? renderIssues(error.payload.issues, { color }) : renderError(error, { color })

/** The same with `--json`. */
export const errorValue = (error: AppError) => ({
  error: {
    code: error.code,
    message: error.message,
    hint: error.hint,
    ...defined({ issues: isAppError(error, 'CONFIG_INVALID') ? error.payload.issues : undefined }),
  },
})
