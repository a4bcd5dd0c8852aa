import type { Host } from './process/host.ts'
import type { Output } from './terminal/output.ts'

/** docs/cli.md has the table; an error brings its own. */
export type Exit = 0 | 1 | 2 | 3

export interface Context {
  readonly host: Host
  readonly output: Output
  /** The values for variables that the command line names, in the order in which they were written. */
  readonly given?: GivenOptions | undefined
  /** A deployed plumbline, instead of this machine. */
  readonly endpoint?: Endpoint
  /** The folder whose `.plumbline` is used, absolute; the nearest one upwards when absent. */
  readonly storeFolder?: string
  /** The table of DynamoDB that is the store. */
  readonly storeTable?: string
}

interface GivenOptions {
  /** `name=value` */
  readonly var?: readonly string[]
  /** Paths. */
  readonly varFile?: readonly string[]
}

export interface Endpoint {
  /** Before `/v1`. */
  readonly url: string
  readonly token: string | undefined
}
