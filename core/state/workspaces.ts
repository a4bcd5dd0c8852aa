import { AppError } from '../errors.ts'
import type { Bundle, Workspace } from '../schema/records.ts'
import { type BlobRef, blobWrites, deleteBlob, readBlob } from './blobs.ts'
import { type Changes, commit, untilWritten } from './commit.ts'
import { keys } from './keys.ts'
import type { Condition, Item, Store, Write } from './store.ts'

/** That the files of a workspace are kept at a place. */
export interface Claim {
  readonly origin: string
  /** Whether the workspace may be taken from another place. */
  readonly mayTake: (from: string) => Promise<boolean>
}

interface StoredWorkspace {
  readonly workspace: Workspace
  readonly version: number
  readonly bundle: BlobRef | undefined
}

const stored = (item: Item): StoredWorkspace => ({
  workspace: item['body'] as Workspace,
  version: Number(item['version']),
  bundle: item['bundle'] as BlobRef | undefined,
})

const find = async (store: Store, id: string): Promise<StoredWorkspace | undefined> => {
  const item = await store.get(keys.workspace(id))
  return item === undefined ? undefined : stored(item)
}

const moveDue = (id: string, from: string | undefined, to: string | undefined): readonly Write[] => {
  if (from === to) return []
  return [
    ...(from === undefined ? [] : [{ kind: 'delete', key: keys.due(id, from) } as const]),
    ...(to === undefined
      ? []
      : [{ kind: 'put', item: { ...keys.due(id, to), workspace: id, nextCheckAt: to } } as const]),
  ]
}

/** The record, its copy in the directory and its place in the due list, all or nothing and only from `current` on. */
const replace = (current: StoredWorkspace | undefined, next: Workspace, bundle: BlobRef | undefined): Write[] => {
  const version = (current?.version ?? 0) + 1
  const unchanged: Condition =
    current === undefined ? { kind: 'absent' } : { kind: 'equals', attribute: 'version', value: current.version }
  const attributes = { body: JSON.parse(JSON.stringify(next)), version }
  return [
    {
      kind: 'put',
      item: { ...keys.workspace(next.id), ...attributes, ...(bundle === undefined ? {} : { bundle }) },
      if: [unchanged],
    },
    { kind: 'put', item: { ...keys.directory(next.id), ...attributes } },
    ...moveDue(next.id, current?.workspace.nextCheckAt, next.nextCheckAt),
  ]
}

/** Throws WORKSPACE_CLAIMED where the files of a workspace are kept at another place than `origin`. */
export const requireOrigin = (current: Workspace | undefined, origin: string): void => {
  if (current?.origin === undefined || current.origin === origin) return
  const { id, updatedAt, updatedBy } = current
  throw new AppError('WORKSPACE_CLAIMED', {
    workspace: id,
    here: origin,
    there: current.origin,
    at: updatedAt,
    by: updatedBy.subject,
  })
}

const requireClaim = async (current: Workspace | undefined, { origin, mayTake }: Claim): Promise<void> => {
  if (current?.origin === undefined || current.origin === origin) return
  if (!(await mayTake(current.origin))) requireOrigin(current, origin)
}

/**
 * Creates or replaces a workspace with its files; what its last run was stays. With a claim the files are those of one
 * place, which is decided in the very write: of two who claim at once, one is refused. Throws WORKSPACE_CLAIMED.
 */
export const saveWorkspace = (
  store: Store,
  next: Omit<Workspace, 'lastRun'>,
  bundle: Bundle,
  claim?: Claim,
): Promise<Workspace> =>
  untilWritten(`workspace ${next.id}`, async () => {
    const current = await find(store, next.id)
    if (claim !== undefined) await requireClaim(current?.workspace, claim)
    const lastRun = current?.workspace.lastRun
    const workspace = { ...next, ...(lastRun === undefined ? {} : { lastRun }) }
    const { pk } = keys.workspace(next.id)
    const { ref, writes } = await blobWrites(pk, JSON.stringify(bundle))
    const old = current?.bundle === undefined || current.bundle.digest === ref.digest ? undefined : current.bundle
    const changes: Changes = {
      ahead: writes,
      final: replace(current, workspace, ref),
      behind: old === undefined ? [] : deleteBlob(pk, old),
    }
    return (await commit(store, changes)).ok ? workspace : undefined
  })

/** `undefined` where it was never stored. */
export const findWorkspace = async (store: Store, id: string): Promise<Workspace | undefined> =>
  (await find(store, id))?.workspace

/** Throws WORKSPACE_NOT_FOUND. */
export const getWorkspace = async (store: Store, id: string): Promise<Workspace> => {
  const found = await findWorkspace(store, id)
  if (found === undefined) throw new AppError('WORKSPACE_NOT_FOUND', { workspace: id })
  return found
}

/**
 * Whether anything is kept under this name: its record, or a run, an apply or an entry of its ledger. Who looks into what
 * happened needs no more than that. Throws WORKSPACE_NOT_FOUND.
 */
export const requireWorkspace = async (store: Store, id: string): Promise<void> => {
  for (const { pk } of [keys.workspace(id), keys.head(id)]) {
    if ((await store.query({ pk, limit: 1 })).items.length > 0) return
  }
  throw new AppError('WORKSPACE_NOT_FOUND', { workspace: id })
}

/** Throws WORKSPACE_NOT_FOUND, or STORE_CORRUPT where the files are not what was stored. */
export const loadBundle = async (store: Store, id: string): Promise<Bundle> => {
  const found = await find(store, id)
  if (found?.bundle === undefined) throw new AppError('WORKSPACE_NOT_FOUND', { workspace: id })
  const { pk } = keys.workspace(id)
  const bundle = await readBlob(store, pk, found.bundle, `configuration of ${id}`).catch(async (error) => {
    const again = (await find(store, id))?.bundle
    if (again === undefined || again.digest === found.bundle?.digest) throw error
    return readBlob(store, pk, again, `configuration of ${id}`)
  })
  return bundle as unknown as Bundle
}

/** Read at once, however few of them are shown. */
const leastPage = 200

/** By name, those that `sees` lets through. `next` is the last name that is shown: a cursor tells of no other one. */
export const listWorkspaces = async (
  store: Store,
  { limit, after, sees = () => true }: ListedWorkspaces,
): Promise<{ readonly items: readonly Workspace[]; readonly next?: string }> => {
  const found: Workspace[] = []
  for (let from = after; ; ) {
    const page = await store.query({
      pk: 'DIR',
      limit: Math.max(limit + 1, leastPage),
      ...(from === undefined ? {} : { after: from }),
    })
    found.push(...page.items.map((item) => item['body'] as Workspace).filter(({ id }) => sees(id)))
    const last = found[limit - 1]
    if (found.length > limit && last !== undefined) {
      return { items: found.slice(0, limit), next: keys.directory(last.id).sk }
    }
    if (page.next === undefined) return { items: found }
    from = page.next
  }
}

interface ListedWorkspaces {
  readonly limit: number
  readonly after?: string
  readonly sees?: (id: string) => boolean
}

export interface Due {
  readonly workspace: string
  readonly nextCheckAt: string
}

/** Whose next check is at or before `now`, the longest waiting first. */
export const listDue = async (store: Store, { now, limit }: { readonly now: Date; readonly limit: number }) => {
  const { items } = await store.query({ pk: 'DUE', to: `${now.toISOString()}#~`, limit })
  return items.map(
    (item): Due => ({
      workspace: String(item['workspace']),
      nextCheckAt: String(item['nextCheckAt']),
    }),
  )
}

/** True for exactly one of all who claim the same time; `next` absent: never again. */
export const claimDue = (store: Store, due: Due, next: string | undefined): Promise<boolean> =>
  untilWritten(`workspace ${due.workspace}`, async () => {
    const current = await find(store, due.workspace)
    if (current === undefined || current.workspace.nextCheckAt !== due.nextCheckAt) return false
    const { nextCheckAt: _, ...rest } = current.workspace
    const moved = { ...rest, ...(next === undefined ? {} : { nextCheckAt: next }) }
    return (await store.write(replace(current, moved, current.bundle))).ok ? true : undefined
  })

/** For the transaction of a run. Nothing where the workspace was never stored: its files lie elsewhere. */
export const lastRunWrites = async (
  store: Store,
  id: string,
  lastRun: NonNullable<Workspace['lastRun']>,
): Promise<readonly Write[]> => {
  const current = await find(store, id)
  return current === undefined ? [] : replace(current, { ...current.workspace, lastRun }, current.bundle)
}
