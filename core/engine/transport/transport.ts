import type { Request, Response } from '../schema/command.ts'

/**
 * The only way to a target. A transport resolves with any status of the target, and rejects with an AppError
 * (REQUEST_FAILED, ADDRESS_REFUSED, EXEC_UNAVAILABLE, HOST_SILENT, RESPONSE_TOO_LARGE, RESPONSE_INVALID,
 * BUDGET_EXCEEDED, DEADLINE_REACHED, SECRET_UNRESOLVED, SIGN_IN_FAILED, WRITE_IN_CHECK) if there is no usable answer.
 * Wrappers take a transport and return one.
 */
export interface Transport {
  send(request: Request, signal?: AbortSignal): Promise<Response>
  /** Computes a value from answers once and keeps it as long as the answers. Absent if reads are not cached. */
  remember?<Made>(key: string, make: () => Promise<Made>): Promise<Made>
  /** The same transport without the cached answers, to read something again. It has a cache of its own. */
  readonly afresh?: Transport
  /**
   * The same transport for a read whose kept answer the server may confirm (If-None-Match). Absent if no answers are kept.
   */
  readonly confirming?: Transport
  /**
   * The same transport for reads that share a budget (BUDGET_EXCEEDED, DEADLINE_REACHED). Absent if there is no budget.
   */
  within?(of: string, allowance: Allowance): Transport
}

/** `bytes` counts after decompression. */
export interface Allowance {
  readonly bytes: number
  readonly seconds: number
}

/** Keys as plain text, for AWS Signature Version 4. */
export interface AwsSigning {
  readonly region: string
  readonly service: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** For one whole exchange, unless the provider has another limit. */
export const defaultTimeoutMs = 30_000

/** A request as the last transport receives it. Only there the bytes for a signature are known. */
export interface WireRequest extends Request {
  /** The request contains no secret and no authentication. Absent: it may identify the caller. */
  readonly isAnonymous?: true
  readonly signing?: AwsSigning
  /** Id of the approved command that the request executes; used by the fence. */
  readonly command?: string
  /** Called right before the bytes are sent. If it returns false, nothing is sent, and REQUEST_FAILED has `unsent`. */
  readonly mayLeave?: () => boolean
}
