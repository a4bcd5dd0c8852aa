import type { ReadDeps } from '../../../engine/provider/provider.ts'
import type { Request, Response } from '../../../engine/schema/command.ts'
import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../engine/schema/resource.ts'
import { unknownFromError, unknownFromStatus } from '../../../engine/transport/answer/unknown.ts'
import { defined } from '../../../engine/values/defined.ts'
import { type FilePlace, placeIn, type Roots } from './place.ts'
import type { MachineScope } from './scope.ts'
import { unknowns } from './words.ts'

export type ProgramAnswer = { readonly kind: 'answer'; readonly body: JsonObject; readonly etag?: string }
type ProgramResult = ProgramAnswer | Missing | UnknownResult
type Missing = { readonly kind: 'absent' }

/** The place of a written path, or why it has none. */
export const placeFor = (roots: Roots, path: Json | undefined): FilePlace | UnknownResult => {
  if (typeof path !== 'string') return { kind: 'unknown', reason: 'unresolved', detail: unknowns.openPath }
  return placeIn(roots, path) ?? { kind: 'unknown', reason: 'outside_root', detail: unknowns.outside(path, roots.root) }
}

/** GET of a file URL: what is there, or that nothing is there, or why that is not known. */
export const askFile = async (place: FilePlace, deps: ReadDeps, accept?: string): Promise<ProgramResult> => {
  const headers = accept === undefined ? undefined : { accept }
  const response = await sent({ method: 'GET', url: place.url, effect: 'read', ...defined({ headers }) }, deps)
  if ('kind' in response) return response
  return response.status === 404 ? { kind: 'absent' } : judged(response)
}

/** What an answer about a file that is there says. */
const judged = ({ status, headers, body }: Response): ProgramAnswer | UnknownResult => {
  const { reason, detail } = isObject(body) ? body : {}
  const told = typeof detail === 'string' ? detail : undefined
  if (reason === 'outside_root') return { kind: 'unknown', reason: 'outside_root', detail: told ?? '' }
  if (status === 409) return { kind: 'unknown', reason: 'unsupported', detail: told ?? '' }
  if (status !== 200) return unknownFromStatus(status, told)
  return isObject(body) ? { kind: 'answer', body, ...defined({ etag: headers['etag'] }) } : badBody(unknowns.noFile)
}

export const badBody = (detail: string): UnknownResult => ({ kind: 'unknown', reason: 'bad_body', detail })

export type AskedText = { readonly kind: 'text'; readonly text: string } | Missing | UnknownResult

/** The text of a file. */
export const askText = async (place: FilePlace, deps: ReadDeps): Promise<AskedText> => {
  const asked = await askFile(place, deps)
  if (asked.kind !== 'answer') return asked
  const { content, contentBase64 } = asked.body
  if (typeof content === 'string') return { kind: 'text', text: content }
  return typeof contentBase64 === 'string'
    ? { kind: 'unknown', reason: 'unsupported', detail: unknowns.noText }
    : badBody(unknowns.noFile)
}

/** A call of a program. */
export const callOf = (
  { env }: MachineScope,
  effect: 'read' | 'write',
  program: string,
  args: readonly Json[],
  more: Readonly<Record<string, string>> = {},
): Request => ({ method: 'POST', url: `exec:///${program}`, effect, body: { args, env: { ...env, ...more } } })

export type Output =
  | { readonly kind: 'output'; readonly text: string }
  | (UnknownResult & { readonly isMissing?: true })

/** What a declared read of a program says. `isMissing`: there is no such program. */
export const askProgram = async (
  machine: MachineScope,
  program: string,
  args: readonly string[],
  deps: ReadDeps,
): Promise<Output> => {
  const response = await sent(callOf(machine, 'read', program, args), deps)
  if ('kind' in response) return response
  const { status, body } = response
  const { stdout, detail } = isObject(body) ? body : {}
  const told = typeof detail === 'string' ? unknowns.failed(program, detail) : undefined
  if (status === 501)
    return { kind: 'unknown', reason: 'network', detail: unknowns.noProgram(program), isMissing: true }
  if (status === 422) return { kind: 'unknown', reason: 'server_error', detail: told ?? unknowns.noOutput(program) }
  if (status !== 200) return unknownFromStatus(status, told)
  return typeof stdout === 'string' ? { kind: 'output', text: stdout } : badBody(unknowns.noOutput(program))
}

const sent = async (request: Request, { transport, signal }: ReadDeps): Promise<Response | UnknownResult> => {
  try {
    return await transport.send(request, signal)
  } catch (error) {
    return unknownFromError(error)
  }
}
