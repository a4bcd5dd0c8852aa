import type { ReadStream, WriteStream } from 'node:tty'
import type { Clock } from '#core'

/** The process around the command: nothing else reads it. */
export interface Host {
  /** Without the interpreter and the script. */
  readonly argv: readonly string[]
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly stdin: ReadStream
  readonly stdout: WriteStream
  readonly stderr: WriteStream
  readonly user: string
  readonly version: string
  /** The command as it is called here, for lines that people copy. */
  readonly invocation: string
  /** Calls the listener at Ctrl-C, SIGTERM or SIGHUP instead of ending; the returned function removes the listener. */
  readonly onInterrupt: (listener: () => void) => () => void
  readonly clock: Clock
}
