import * as z from 'zod'
import {
  type Actor,
  AppError,
  type Command,
  type Deps,
  defined,
  openRecords,
  type Paging,
  type Plan,
  type Progress,
  type Run,
  withinDeadline,
} from '#core'
import { jsonIn } from '../../adapters/json-in.ts'
import type { Host } from '../process/host.ts'
import type { StateFolder } from '../state/state-folder.ts'
import type { Output } from '../terminal/output.ts'
import { type Client, part, pathOf } from './http-client.ts'

/** Runs the workflows in this process. */
export interface Local {
  readonly kind: 'local'
  readonly host: Pick<Host, 'variables' | 'clock'>
  readonly output: Pick<Output, 'note' | 'paint'>
  readonly deps: Deps
  readonly state: StateFolder
  /** True if other machines use the same store. */
  readonly shared: boolean
  readonly actor: Actor
  close(): Promise<void>
}

interface Remote {
  readonly kind: 'remote'
  readonly client: Client
  readonly host: Host
  readonly output: Output
  close(): Promise<void>
}

/** The place where a command does its work. Every failure is an AppError. */
export type Backend = Local | Remote

export interface Operation<Input, Result> {
  readonly local: (input: Input, backend: Local) => Result
  readonly remote: (input: Input, backend: Remote) => Result
}

export const perform = <Input, Result>(operation: Operation<Input, Result>, input: Input, backend: Backend): Result =>
  backend.kind === 'local' ? operation.local(input, backend) : operation.remote(input, backend)

export const paged = ({ limit, after }: Paging): Record<string, string> => ({
  limit: String(limit),
  ...defined({ cursor: after }),
})

/** What the lists of this machine give as `next`. */
export const places = { id: /^[0-9A-Z]{26}$/, number: /^\d{1,12}$/, name: /^[a-z0-9][a-z0-9-]{0,62}$/ } as const

/** Of a list on this machine: a text that is no place in it would give its first page, or none. Throws USAGE. */
export const localPaging = <Given extends Paging>(given: Given, place: RegExp): Given => {
  if (given.after === undefined || place.test(given.after)) return given
  throw new AppError('USAGE', {
    detail: `--after is "${given.after}", which is no place in this list: write what the page before shows, or leave it out`,
  })
}

export interface ListRequest extends Paging {
  readonly workspace: string
}

export interface Watch {
  readonly progress: (event: Progress) => void
  /** Aborted when the user asks to stop at the next command boundary. */
  readonly signal: AbortSignal
}

export interface Checked {
  readonly run: Run
  /** Absent if the run failed. */
  readonly plan?: Plan | undefined
}

const planShape = z.looseObject({
  commands: z.array(z.custom<Command>()),
  digests: z.looseObject({ commands: z.string() }),
})

/** Fetches a run with its stored plan: it is rendered here, so that it looks the same wherever it was made. */
export const fetchChecked = async (client: Client, run: Run): Promise<Checked> => {
  if (run.digests === undefined) return { run }
  const path = `${pathOf(run.workspace)}/runs/${part(run.id)}/plan`
  const { text } = await client.getText(path, 'application/vnd.plumbline.plan+json')
  const plan = jsonIn(text)
  if (planShape.safeParse(plan).success) return { run, plan: plan as Plan }
  throw new AppError('ENDPOINT_FAILED', { endpoint: client.url, detail: 'something that is no plan' })
}

export const watched = (deps: Deps, { progress }: Watch): Deps => ({ ...deps, progress })

/** Stops the work at once on an interrupt, because it writes nothing. */
export const readingWithin = <Result>(
  of: string,
  watch: Watch,
  deps: Deps,
  work: (own: Deps) => Promise<Result>,
): Promise<Result> => withinDeadline({ of, signal: watch.signal }, watched(deps, watch), work)

export const recordsOf = (workspace: string, { deps }: Local) => openRecords(deps.store, workspace)
