import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import type { Apply, Command, LedgerEntry, LedgerFilter, LedgerVerdict, Plan, Run, Workspace } from '#core'
import { AppError, defined, hasEnded, isAppError } from '#core'
import { renderPlan } from '#render'
import { claimOf } from '../../adapters/files/origin.ts'
import type { Endpoint } from '../context.ts'
import type { Host } from '../process/host.ts'
import type { Output } from '../terminal/output.ts'
import type { Source } from '../workspace/find-source.ts'
import { type Asked, awaitRun } from './await-run.ts'
import type { ApplyRequest, Backend, Checked, Page, Paging, PushOptions, Watch } from './backend.ts'
import { type Client, createClient } from './http-client.ts'
import type { PlanView } from './plan-view.ts'

/** As long as the endpoint waits at most. */
const wait = '25s'
const pauseMs = 1_000

const part = encodeURIComponent
const pathOf = (workspace: string): string => `/v1/workspaces/${part(workspace)}`

const paged = ({ limit, after }: Paging): Record<string, string> => ({
  limit: String(limit),
  ...defined({ cursor: after }),
})

/** The members of the plan's document that are needed here. */
const documentShape = z.looseObject({
  plumbline: z.looseObject({
    commands: z.array(z.custom<Command>()),
    digests: z.looseObject({ commands: z.string() }),
  }),
})

/** The plan as it is stored. */
const storedForm = 'application/vnd.plumbline.plan+json'

const fetchPlan = async (client: Client, run: Run, targets: readonly string[] = []): Promise<PlanView> => {
  const only = targets.length === 0 ? '' : `?${new URLSearchParams({ targets: targets.join(',') })}`
  const path = `${pathOf(run.workspace)}/runs/${part(run.id)}/plan${only}`
  const document = await client.get<unknown>(path)
  const { data } = documentShape.safeParse(document)
  if (data === undefined)
    throw new AppError('ENDPOINT_FAILED', { endpoint: client.url, detail: 'something that is no plan' })
  const { commands, digests } = data.plumbline
  return {
    commands,
    digest: digests.commands,
    only: (wanted) => fetchPlan(client, run, wanted),
    document: async () => document,
    // Rendered here, so that a plan looks the same as one that was made here.
    render: async (format, look) =>
      renderPlan(JSON.parse(await client.getText(path, storedForm)) as Plan, { format, ...look }),
  }
}

const checkedOf = async (client: Client, run: Run): Promise<Checked> =>
  run.digests === undefined ? { run } : { run, plan: await fetchPlan(client, run) }

/** Asks for a check and waits for its run, as `awaitRun` does. */
const check = async (client: Client, workspace: string, { signal }: Watch): Promise<Checked> => {
  const answer = await client.post<Run | { readonly requestedAt: string }>(`${pathOf(workspace)}/check`, { wait })
  if ('id' in answer) return checkedOf(client, answer)
  const { requestedAt } = answer
  const asked: Asked = {
    workspace,
    requestedAt,
    findRun: async () =>
      (await client.get<Page<Run>>(`${pathOf(workspace)}/runs`, { scheduledFor: requestedAt })).items[0],
    findPending: async () => (await client.get<Workspace>(pathOf(workspace))).pendingCheck?.scheduledFor,
  }
  const run = await awaitRun(asked, { signal, monotonic: () => performance.now(), sleep: pause })
  return checkedOf(client, run)
}

/** A refused apply is answered as its problem; what is stored tells the same with the outcomes. */
const begin = async (client: Client, { workspace, ...request }: ApplyRequest): Promise<Apply> => {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  return client.post<Apply>(`${pathOf(workspace)}/apply`, {}, { body: request, headers })
}

const apply = async (client: Client, request: ApplyRequest, { progress, signal }: Watch): Promise<Apply> => {
  let current = await begin(client, request)
  const told = new Set<string>()
  for (;;) {
    for (const { command, status, detail } of current.outcomes) {
      if (!told.has(command)) progress({ step: 'outcome', id: command, status, ...defined({ detail }) })
      told.add(command)
    }
    // What runs there goes on; only the waiting ends.
    if (hasEnded(current) || signal.aborted) return current
    await pause(pauseMs)
    current = await client.get<Apply>(`${pathOf(request.workspace)}/applies/${part(current.id)}`)
  }
}

/** Part by part, as the endpoint cuts it. */
async function* exportLedger(client: Client, workspace: string, filter: LedgerFilter): AsyncGenerator<string> {
  let query = new URLSearchParams({ ...filter })
  for (;;) {
    const { text, next } = await client.getPart(`${pathOf(workspace)}/ledger/export`, query, 'application/x-ndjson')
    yield* text.split('\n').slice(0, -1)
    if (next === undefined) return
    query = next
  }
}

const findStored = async (client: Client, id: string): Promise<Workspace | undefined> => {
  try {
    return await client.get<Workspace>(pathOf(id))
  } catch (error) {
    if (isAppError(error, 'WORKSPACE_NOT_FOUND') || isAppError(error, 'WORKSPACE_REMOVED')) return undefined
    throw error
  }
}

/** Says who stored it last where that was not from here. The endpoint refuses what belongs to another place. */
const push = async (
  client: Client,
  { id, bundle, folder }: Source,
  { host, output, takeOver = false, reuse }: PushOptions & { readonly host: Host; readonly output: Output },
): Promise<Workspace> => {
  const stored = await findStored(client, id)
  const moved = (from: string): void => output.note(output.paint.warn(`${id} is taken over from ${from}`))
  const wish = { workspace: id, folder, variables: host.variables, shared: true, takeOver, moved }
  const { origin, mayTake } = await claimOf(wish)
  if (stored !== undefined && stored.origin !== origin) {
    const from = stored.origin === undefined ? '' : `, from ${stored.origin}`
    output.note(`${id} was stored ${stored.updatedAt} by ${stored.updatedBy.subject}${from}`)
  }
  const other = stored?.origin === undefined || stored.origin === origin ? undefined : stored.origin
  const claimFrom = other !== undefined && (await mayTake(other)) ? { claimFrom: other } : {}
  return client.put<Workspace>(
    pathOf(id),
    { ...bundle, origin, ...claimFrom },
    reuse === undefined ? {} : { reuse: 'true', ...reuse },
  )
}

/** The HTTP API of a deployed plumbline, or of a running `plumbline dev`. */
export const openRemote = (endpoint: Endpoint, host: Host, output: Output): Backend => {
  const client = createClient(endpoint, host.version)
  return {
    push: (source, options = {}) => push(client, source, { host, output, ...options }),
    pause: (id, reason) => client.post<Workspace>(`${pathOf(id)}/pause`, {}, { body: { reason } }),
    resume: (id, reason) => client.post<Workspace>(`${pathOf(id)}/resume`, {}, { body: { reason } }),
    remove: async (id, reason) => {
      await client.delete(pathOf(id), { reason })
    },
    workspaces: (paging) => client.get<Page<Workspace>>('/v1/workspaces', paged(paging)),
    workspace: (id) => client.get<Workspace>(pathOf(id)),
    check: (workspace, watch) => check(client, workspace, watch),
    import: async () => {
      throw new AppError('USAGE', { detail: 'import works on this machine; leave the endpoint out' })
    },
    runs: (workspace, paging) => client.get<Page<Run>>(`${pathOf(workspace)}/runs`, paged(paging)),
    run: async (workspace, id) => checkedOf(client, await client.get<Run>(`${pathOf(workspace)}/runs/${part(id)}`)),
    apply: (request, watch) => apply(client, request, watch),
    ledger: (workspace, { limit, after, ...filter }: LedgerFilter & Paging) =>
      client.get<Page<LedgerEntry>>(`${pathOf(workspace)}/ledger`, {
        ...filter,
        ...paged(after === undefined ? { limit } : { limit, after }),
      }),
    exportLedger: (workspace, filter) => exportLedger(client, workspace, filter),
    verify: (workspace) => client.get<LedgerVerdict>(`${pathOf(workspace)}/ledger/verify`),
    close: async () => {},
  }
}
