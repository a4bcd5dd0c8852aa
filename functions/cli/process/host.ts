import type { ReadStream, WriteStream } from 'node:tty'

/** The process around the command, so that nothing below reads it by itself. */
export interface Host {
  /** Without the interpreter and the script. */
  readonly argv: readonly string[]
  readonly variables: Readonly<Record<string, string | undefined>>
  /** Where the command was called. */
  readonly folder: string
  readonly stdin: ReadStream
  readonly stdout: WriteStream
  readonly stderr: WriteStream
  readonly user: string
  readonly version: string
  /** How the command is called here, for lines that people copy. */
  readonly invocation: string
  /** Calls the listener at Ctrl-C or a request to end, instead of ending; the answer takes the listener away. */
  readonly onInterrupt: (listener: () => void) => () => void
  /** Runs everything on this machine until it is interrupted. */
  readonly dev: (options: DevOptions) => Promise<void>
}

export interface DevOptions {
  /** The workspace's folder as given; where the command was called when absent. */
  readonly folder?: string
  readonly port: number
  /** Seconds between two checks of this folder's workspace; 0 leaves it to its schedule. */
  readonly every: number
  /** Addresses that receive the alerts. */
  readonly webhooks: readonly string[]
  readonly color: boolean
  readonly width: number
  /** Shows whole lines. */
  readonly say: (text: string) => void
}
