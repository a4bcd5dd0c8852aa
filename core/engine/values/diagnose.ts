import type { Diagnostic } from '../schema/issue.ts'
import type { ModuleCall, Position } from '../schema/resource.ts'

export type MessageAndFix = readonly [message: string, fix: string]

/** For a folder whose diagnostics have no codes. */
export const uncoded = (message: string, fix: string): Diagnostic => ({ message, fix })

export const said = (message: string, fix: string): MessageAndFix => [message, fix]

type Sentences = Readonly<Record<string, (...facts: never[]) => MessageAndFix>>

/** Turns a code and facts into the diagnostic with the message of the folder. */
export const diagnostics =
  <Words extends Sentences>(sentences: Words) =>
  <Code extends keyof Words & string>(code: Code, ...facts: Parameters<Words[Code]>): Diagnostic => {
    const [message, fix] = (sentences[code] as (...all: typeof facts) => MessageAndFix)(...facts)
    return { code, message, fix }
  }

/** `file:line:column`; only the file for a place without lines, such as an option of a command. */
export const placeText = ({ file, line, column }: Position): string => (line === 0 ? file : `${file}:${line}:${column}`)

/** `module.prod["eu"] at plumbline.yaml:7:5 -> ...`: the calls that lead to a place in a module. */
export const callsText = (calls: readonly ModuleCall[]): string =>
  calls.map((call) => `${call.module} at ${placeText(call)}`).join(' -> ')

/** Sorts by file, then by position in the file. */
export const byPlace = (left: Position, right: Position): number =>
  left.file === right.file ? left.line - right.line || left.column - right.column : left.file < right.file ? -1 : 1
