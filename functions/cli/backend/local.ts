import {
  type Apply,
  checkWorkspace,
  type Deps,
  defined,
  deliverAlerts,
  describeWorkspace,
  digest,
  findWorkspace,
  hasEnded,
  type LedgerFilter,
  ledgerLine,
  listWorkspaces,
  openRecords,
  type Plan,
  pauseWorkspace,
  putWorkspace,
  type Run,
  removeWorkspace,
  requestApply,
  resumeWorkspace,
  runApply,
  type Workspace,
  withinDeadline,
} from '#core'
import { claimOf } from '../../adapters/files/origin.ts'
import type { Host } from '../process/host.ts'
import type { StateFolder } from '../state/state-folder.ts'
import type { Output } from '../terminal/output.ts'
import type { Source } from '../workspace/find-source.ts'
import type { ApplyRequest, Backend, Checked, PushOptions, Watch } from './backend.ts'
import { openLocalDeps } from './local-deps.ts'
import { viewOf } from './plan-view.ts'

export interface LocalOptions {
  readonly state: StateFolder
  readonly host: Host
  readonly output: Output
}

/** An apply of the same commands that was stopped or killed is continued, and not begun a second time. */
const findUnfinished = async (request: ApplyRequest, { store }: Deps): Promise<Apply | undefined> => {
  const { items } = await (await openRecords(store, request.workspace)).applies({ limit: 20 })
  return items.find(
    (apply) =>
      !hasEnded(apply) &&
      apply.mode === request.mode &&
      apply.digest === request.digest &&
      digest(apply.targets ?? []) === digest(request.targets ?? []),
  )
}

/** The workspace, where what is stored is this configuration of this place already. */
const findStored = async ({ id, digest }: Source, origin: string, { store }: Deps): Promise<Workspace | undefined> => {
  const stored = await findWorkspace(store, id)
  return stored?.configurationDigest === digest && stored.origin === origin ? stored : undefined
}

const checkedOf = ({ run, plan }: { readonly run: Run; readonly plan?: Plan | undefined }): Checked => ({
  run,
  ...defined({ plan: plan && viewOf(plan, run.finishedAt) }),
})

const watched = (deps: Deps, { progress }: Watch): Deps => ({ ...deps, progress })

/** The workflows themselves, in this process. */
export const openLocal = async ({ state, host, output }: LocalOptions): Promise<Backend> => {
  const { deps, shared, close } = await openLocalDeps({ state, host, output })
  const { store } = deps
  const actor = { subject: `local:${host.user}`, via: 'cli' } as const

  const push = async (source: Source, { takeOver = false, reuse }: PushOptions = {}): Promise<Workspace> => {
    const { id, folder, read } = source
    const moved = (from: string): void => output.note(output.paint.warn(`${id} is taken over from ${from}`))
    const claim = await claimOf({ workspace: id, folder, variables: host.variables, shared, takeOver, moved })
    const stored = await findStored(source, claim.origin, deps)
    return stored ?? putWorkspace({ bundle: read, actor, workspace: id, claim, reuse }, deps)
  }

  /** Ends at once where it is interrupted: nothing is half-written. */
  const reading = <Result>(of: string, watch: Watch, work: (own: Deps) => Promise<Result>): Promise<Result> =>
    withinDeadline({ of, signal: watch.signal }, watched(deps, watch), work)

  const apply = async (request: ApplyRequest, watch: Watch): Promise<Apply> => {
    const watching = watched(deps, watch)
    const { id } =
      (await findUnfinished(request, deps)) ?? (await requestApply({ ...request, actor, own: true }, watching))
    const shouldStop = (): boolean => watch.signal.aborted
    return withinDeadline({ of: 'the apply' }, watching, (own) =>
      runApply({ workspace: request.workspace, applyId: id, shouldStop, patient: true }, own),
    )
  }

  const run = async (workspace: string, id: string): Promise<Checked> => {
    const records = await openRecords(store, workspace)
    return checkedOf({ run: await records.run(id), plan: await records.plan(id) })
  }

  const exportLedger = async function* (workspace: string, filter: LedgerFilter): AsyncGenerator<string> {
    for await (const part of (await openRecords(store, workspace)).exportLedger(filter)) yield ledgerLine(part)
  }

  return {
    push,
    workspaces: (paging) => listWorkspaces(store, paging),
    workspace: (id) => describeWorkspace(store, id),
    pause: (workspace, reason) => pauseWorkspace({ workspace, actor, reason }, deps),
    resume: (workspace, reason) => resumeWorkspace({ workspace, actor, reason }, deps),
    remove: async (workspace, reason) => {
      await removeWorkspace({ workspace, actor, reason }, deps)
      await deliverAlerts({ workspace }, deps)
    },
    check: async (workspace, watch) =>
      checkedOf(await reading('the check', watch, (own) => checkWorkspace({ workspace, trigger: 'cli', actor }, own))),
    import: async (request, watch) => {
      const { importObjects } = await import('#authoring')
      return reading('the import', watch, (own) => importObjects(request, own))
    },
    runs: async (workspace, paging) => (await openRecords(store, workspace)).runs(paging),
    run,
    apply,
    ledger: async (workspace, query) => (await openRecords(store, workspace)).ledger(query),
    exportLedger,
    verify: async (workspace) => (await openRecords(store, workspace)).verifyLedger(),
    close,
  }
}
