import type { Request, Response } from '../schema/command.ts'

/**
 * The one way to a target. A transport resolves with whatever status the target answered, and rejects with an AppError
 * (REQUEST_FAILED, RESPONSE_TOO_LARGE, RESPONSE_INVALID, SECRET_UNRESOLVED, WRITE_IN_CHECK) where there is no usable
 * answer. Wrappers take a transport and give one.
 */
export interface Transport {
  send(request: Request, signal?: AbortSignal): Promise<Response>
}
