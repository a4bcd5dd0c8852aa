import type { Request, Response } from '../schema/command.ts'

/**
 * The one way to a target. A transport resolves with any status of the target, and rejects with an AppError
 * (REQUEST_FAILED, ADDRESS_REFUSED, EXEC_UNAVAILABLE, HOST_SILENT, RESPONSE_TOO_LARGE, RESPONSE_INVALID, BUDGET_EXCEEDED, DEADLINE_REACHED, SECRET_UNRESOLVED,
 * SIGN_IN_FAILED, WRITE_IN_CHECK) where there is no usable answer. Wrappers take a transport and give one.
 */
export interface Transport {
  send(request: Request, signal?: AbortSignal): Promise<Response>
  /** Makes something out of answers once, and keeps it as long as the answers. Absent where every read is sent. */
  remember?<Made>(key: string, make: () => Promise<Made>): Promise<Made>
  /** The same way past all answers that are kept, for what has to be seen a second time. It keeps its own. */
  readonly afresh?: Transport
  /** The same way, for reads that have a budget together (BUDGET_EXCEEDED, DEADLINE_REACHED). Absent where there is no budget. */
  within?(of: string, allowance: Allowance): Transport
}

/** What may be read, after decompression, and how long that may take. */
export interface Allowance {
  readonly bytes: number
  readonly seconds: number
}

/** Keys in clear, for AWS Signature Version 4. */
export interface AwsSigning {
  readonly region: string
  readonly service: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** For one whole exchange, where a provider says nothing else. */
export const defaultTimeoutMs = 30_000

/** As the last transport gets a request. Only there the bytes are known that a signature is about. */
export interface WireRequest extends Request {
  /** Nothing in it was a secret and it signs in nowhere. Absent: it may prove who we are. */
  readonly isAnonymous?: true
  readonly signing?: AwsSigning
  /** The id of the approved command that it carries out. What is fenced goes by it. */
  readonly command?: string
  /** Asked right before the bytes leave; false: nothing is sent, and REQUEST_FAILED says `unsent`. */
  readonly mayLeave?: () => boolean
}
