import type { AppError } from '#core'
import type { Signed } from '../adapters/transport/http/sign-aws.ts'
import type { RefusedAnswer } from './backend/refusal.ts'
import type { Host } from './process/host.ts'
import type { Output } from './terminal/output.ts'

/** The table is in docs/cli.md; each error has its own exit code. */
export type Exit = 0 | 1 | 2 | 3

export interface Context {
  readonly host: Host
  readonly output: Output
  /** The values for variables from the command line, in their order. */
  readonly given?: GivenOptions | undefined
  readonly endpoint?: Endpoint
  /** The absolute folder whose `.plumbline` is used; the nearest one upwards when absent. */
  readonly storeFolder?: string
  readonly storeTable?: string
  /** `--store memory` */
  readonly keepsNothing?: true
}

interface GivenOptions {
  /** `name=value` */
  readonly var?: readonly string[]
  /** Paths. */
  readonly varFile?: readonly string[]
}

export interface Endpoint {
  /** The part before `/v1`. */
  readonly url: string
  /** Given, or of an earlier `plumbline login`; asked for when a request needs it. Throws SIGN_IN_EXPIRED. */
  readonly token: () => Promise<string | undefined>
  /** With `--sign`: made when the first request needs it; no token is sent. Rejects with IDENTITY_MISSING. */
  readonly sign?: () => Promise<SignRequest>
}

/** A request with what says who sends it. */
export interface Vouched {
  readonly url: URL
  readonly headers: Headers
  /** Of a signed request: what its refusal means. `date`: the header of the answer. */
  readonly refusal?: (refused: RefusedAnswer, date: string | null) => AppError
}

export type SignRequest = (request: Signed) => Promise<Vouched>
