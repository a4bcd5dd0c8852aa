import { AppError } from '#core'
import { problemAnswer } from '../api/route/problem.ts'

/*
 * What the parts that run on one machine refuse: they live outside the product and know its errors through here.
 */

export const portInUse = (port: number, purpose: string): AppError => new AppError('PORT_IN_USE', { port, purpose })

export const nodeTooOld = (needed: string, found: string): AppError =>
  new AppError('USAGE', { detail: `plumbline dev needs Node ${needed} or newer, this is ${found}` })

export const noConfiguration = (path: string): AppError => new AppError('CONFIG_NOT_FOUND', { path })

export const bodyTooLarge = (limit: number): AppError => new AppError('BODY_TOO_LARGE', { limit })

export const foreignRequest = (detail: string): AppError => new AppError('REQUEST_FOREIGN', { detail })

export const unauthenticated = (detail: string): AppError => new AppError('UNAUTHENTICATED', { detail })

export const endpointFailed = (endpoint: string, detail: string, cause?: unknown): AppError =>
  new AppError('ENDPOINT_FAILED', { endpoint, detail }, { cause })

export const devRunning = (folder: string, process: string): AppError =>
  new AppError('DEV_RUNNING', { folder, process })

export const keyInvalid = (file: string, detail: string): AppError => new AppError('KEY_INVALID', { file, detail })

/** RFC 9457, with its status and headers. */
export const problem = (error: unknown) => problemAnswer(error, crypto.randomUUID())
