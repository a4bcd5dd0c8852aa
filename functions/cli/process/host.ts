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
}
