import { defined } from '#core'

/** The limits for a service of AWS: the number of attempts, and milliseconds for each connection and each answer. */
export interface Patience {
  readonly attempts: number
  readonly connectMs: number
  readonly answerMs: number
}

export const usual: Patience = { attempts: 3, connectMs: 3_000, answerMs: 5_000 }

/**
 * Every client needs these limits: without them the SDK waits forever for a service that accepts a connection and never
 * answers. https://github.com/aws/aws-sdk-js-v3/blob/main/supplemental-docs/CLIENTS.md#request-handler-requesthandler
 */
export const waiting = ({ attempts, connectMs, answerMs }: Patience) => ({
  maxAttempts: attempts,
  requestHandler: { connectionTimeout: connectMs, requestTimeout: answerMs, throwOnRequestTimeout: true },
})

export const endingWith = (signal: AbortSignal | undefined): { readonly abortSignal?: AbortSignal } =>
  defined({ abortSignal: signal })
