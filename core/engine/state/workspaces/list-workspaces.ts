import type { Workspace } from '../../schema/stored/records.ts'
import { defined } from '../../values/defined.ts'
import { baseIn } from '../../values/preview-names.ts'
import { undeliveredSince } from '../outbox.ts'
import { keys } from '../store/keys.ts'
import { compareKeys } from '../store/limits.ts'
import type { Damaged, Page, Paging, Store } from '../store/store.ts'
import { damagedAt, isUnusable } from '../store/verified.ts'
import { listQuarantined, type Quarantined } from './due-list.ts'
import { findWorkspace, getWorkspace } from './workspaces.ts'

/**
 * For display: includes the reason of a quarantine and the time since which alerts wait. Throws WORKSPACE_NOT_FOUND.
 */
export const describeWorkspace = async (store: Store, id: string): Promise<Workspace> => {
  const aside = await listQuarantined(store, { from: id, to: id })
  return withTroubles([await getWorkspace(store, id)], aside, await undeliveredSince(store, id))[0] as Workspace
}

const withTroubles = (
  workspaces: readonly Workspace[],
  aside: readonly Quarantined[],
  undelivered: ReadonlyMap<string, string>,
): readonly Workspace[] =>
  workspaces.map((workspace) => {
    const found = aside.find((one) => one.workspace === workspace.id)
    const quarantined = found && { since: found.since, error: found.error }
    return { ...workspace, ...defined({ quarantined, undeliveredSince: undelivered.get(workspace.id) }) }
  })

interface ListedWorkspaces extends Paging {
  readonly sees?: (id: string) => boolean
  readonly previewOf?: string
}

/** Names that are read at once, even if fewer are returned. */
const leastPage = 200

/** Sorted; `next` is the last name of the page. */
export const listNames = async (
  store: Store,
  { limit, after, previewOf, sees = () => true }: ListedWorkspaces,
): Promise<{ readonly names: readonly string[]; readonly next?: string }> => {
  const names: string[] = []
  for (let from = after; ; ) {
    const page = { limit: Math.max(limit + 1, leastPage), ...defined({ after: from }) }
    const { items, damaged = [], next } = await store.query({ pk: keys.directory('').pk, ...page })
    // The name is in the key, whatever else is in the item.
    const all = [...items.map(({ sk }) => sk), ...damaged.map(({ key }) => key.sk)].toSorted(compareKeys)
    const shown = all.filter((id) => previewOf === undefined || baseIn(id) === previewOf)
    names.push(...shown.filter(sees))
    const last = names[limit - 1]
    if (names.length > limit && last !== undefined) return { names: names.slice(0, limit), next: last }
    if (next === undefined) return { names }
    from = next
  }
}

const readsAtOnce = 20

const findOrTell = async (store: Store, id: string): Promise<Workspace | Damaged | undefined> => {
  try {
    return await findWorkspace(store, id)
  } catch (error) {
    if (!isUnusable(error)) throw error
    return { ...damagedAt(keys.workspace(id), ''), error }
  }
}

/** In the order of the names, without those that do not exist. */
export const readWorkspaces = async (
  store: Store,
  names: readonly string[],
): Promise<readonly (Workspace | Damaged)[]> => {
  const found: (Workspace | Damaged | undefined)[] = []
  for (let start = 0; start < names.length; start += readsAtOnce) {
    const some = names.slice(start, start + readsAtOnce)
    found.push(...(await Promise.all(some.map((name) => findOrTell(store, name)))))
  }
  return found.filter((one) => one !== undefined)
}

/**
 * Sorted by name; a damaged workspace is in `damaged`. `next` is the last name of the page. A page may have fewer items than `limit`, because workspaces are
 * removed meanwhile.
 */
export const listWorkspaces = async (store: Store, listed: ListedWorkspaces): Promise<Page<Workspace>> => {
  const { names, next } = await listNames(store, listed)
  const there = await readWorkspaces(store, names)
  const [from, to] = [names[0], names.at(-1)]
  const aside = from === undefined || to === undefined ? [] : await listQuarantined(store, { from, to })
  const isMeant = ({ preview }: Workspace) => listed.previewOf === undefined || preview?.base === listed.previewOf
  const damaged = there.filter((one) => 'key' in one)
  const workspaces = there.filter((one): one is Workspace => !('key' in one)).filter(isMeant)
  return {
    items: withTroubles(workspaces, aside, await undeliveredSince(store)),
    ...defined({ next, damaged: damaged.length === 0 ? undefined : damaged }),
  }
}
