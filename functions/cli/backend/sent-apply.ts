import {
  type Apply,
  type Basis,
  type Deps,
  defined,
  digest as digestOf,
  hasEnded,
  openRecords,
  requestApply,
  runApply,
  type Selection,
  withinDeadline,
} from '#core'
import { type Operation, type Watch, watched } from './backend.ts'
import { part, pathOf } from './http-client.ts'

export interface ApplyRequest extends Selection {
  readonly workspace: string
  readonly mode: 'check' | 'execute'
  readonly digest: string
  readonly runId?: string
  readonly basis?: Basis
  readonly reason: string
}

const pauseMs = 1_000

const partOf = ({ targets = [], exclude = [], basis = null }: Selection & { readonly basis?: Basis | null }) => ({
  targets,
  exclude,
  basis,
})

/** Finds an apply of the same commands that was stopped or killed: it is continued, and no second one is started. */
const findUnfinished = async (request: ApplyRequest, { store }: Deps): Promise<Pick<Apply, 'id'> | undefined> => {
  const { items } = await (await openRecords(store, request.workspace)).applies({ limit: 20 })
  return items.find(
    (apply) =>
      !hasEnded(apply) &&
      apply.mode === request.mode &&
      apply.digest === request.digest &&
      digestOf(partOf(apply)) === digestOf(partOf(request)),
  )
}

/** The commands that are being sent, numbered behind those that are done. */
const sendingIn = ({ outcomes, progress: { sending = [], waiting = 0 } = { sending: [] } }: Apply) =>
  sending.map(({ command: id, description }, n) => ({
    id,
    description,
    n: outcomes.length + n + 1,
    of: outcomes.length + sending.length + waiting,
  }))

/** Ends when the apply has ended, or has stopped at a command boundary: then its status is `running`. */
export const sentApply: Operation<{ readonly request: ApplyRequest; readonly watch: Watch }, Promise<Apply>> = {
  local: async ({ request, watch }, { deps, actor }) => {
    const watching = watched(deps, watch)
    const { id } =
      (await findUnfinished(request, deps)) ?? (await requestApply({ ...request, actor, own: true }, watching))
    const shouldStop = (): boolean => watch.signal.aborted
    return withinDeadline({ of: 'the apply' }, watching, (own) =>
      runApply({ workspace: request.workspace, applyId: id, shouldStop, patient: true }, own),
    )
  },
  remote: async ({ request, watch: { progress, signal } }, { client, host }) => {
    const { workspace, ...body } = request
    const headers = { 'idempotency-key': crypto.randomUUID() }
    let current = await client.post<Apply>(`${pathOf(workspace)}/apply`, {}, { body, headers })
    const shown = new Set<string>()
    const begun = new Set<string>()
    let told: string | undefined
    for (;;) {
      const { interrupted } = current
      if (interrupted !== undefined && interrupted.at !== told)
        progress({ step: 'interrupted', detail: interrupted.error.message })
      told = interrupted?.at
      for (const { command, status, detail, running } of current.outcomes) {
        if (!shown.has(command)) progress({ step: 'outcome', id: command, status, ...defined({ detail, running }) })
        shown.add(command)
      }
      for (const { id, description, n, of } of sendingIn(current)) {
        if (!begun.has(id)) progress({ step: 'command', id, description, n, of })
        begun.add(id)
      }
      // An interrupt ends only the waiting; the apply continues at the endpoint.
      if (hasEnded(current) || signal.aborted) return current
      await host.clock.sleep(pauseMs)
      current = await client.get<Apply>(`${pathOf(workspace)}/applies/${part(current.id)}`)
    }
  },
}
