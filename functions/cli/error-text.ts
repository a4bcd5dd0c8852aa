import { type AppError, isAppError } from '#core'
import type { Paint } from './paint.ts'

/** `error: <what>`, what to do, and the code to search for. */
export const errorText = (error: AppError, { bad, dim, strong }: Paint): string =>
  [`${bad('error:')} ${strong(error.message)}`, dim(`${error.hint} (${error.code})`)].join('\n')

export const errorValue = (error: AppError) => ({
  error: {
    code: error.code,
    message: error.message,
    hint: error.hint,
    ...(isAppError(error, 'CONFIG_INVALID') ? { issues: error.payload.issues } : {}),
  },
})
