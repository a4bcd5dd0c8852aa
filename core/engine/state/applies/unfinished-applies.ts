import type { Apply } from '../../schema/stored/records.ts'
import { defined } from '../../values/defined.ts'
import { eachPage } from '../store/commit.ts'
import { keys } from '../store/keys.ts'
import type { Damaged, Store, Write } from '../store/store.ts'

/* A queued apply is listed here from its request to its end, because its message may be refused, lost or given up. */

export interface Unfinished {
  readonly workspace: string
  readonly applyId: string
  /** Number of times the apply was queued again since a worker last made progress. */
  readonly resent: number
  /** Digest of the record of the apply at that time, to detect progress. */
  readonly seen?: string
  /** When the apply is checked again, to queue it again if necessary. */
  readonly lookAt: string
  readonly interrupted?: NonNullable<Apply['interrupted']>
}

const itemOf = ({ workspace, applyId, ...rest }: Unfinished) => ({ ...keys.unfinished(workspace, applyId), ...rest })

export const unfinishedWrite = ({ workspace, id }: Apply, lookAt: Date): Write => ({
  kind: 'put',
  item: itemOf({ workspace, applyId: id, resent: 0, lookAt: lookAt.toISOString() }),
})

export const finishedWrite = (workspace: string, apply: string): Write => ({
  kind: 'delete',
  key: keys.unfinished(workspace, apply),
})

export const namesIn = ({ sk }: { readonly sk: string }): Pick<Unfinished, 'workspace' | 'applyId'> => {
  const cut = sk.indexOf('#')
  return { workspace: sk.slice(0, cut), applyId: sk.slice(cut + 1) }
}

const unfinishedOf = (item: { readonly sk: string; readonly [name: string]: unknown }): Unfinished => {
  return {
    ...namesIn(item),
    resent: Number(item['resent'] ?? 0),
    lookAt: String(item['lookAt'] ?? ''),
    ...defined({
      seen: item['seen'] === undefined ? undefined : String(item['seen']),
      interrupted: item['interrupted'] as Unfinished['interrupted'],
    }),
  }
}

export const listUnfinished = async (
  store: Store,
): Promise<{ readonly items: readonly Unfinished[]; readonly damaged: readonly Damaged[] }> => {
  const pages = await Array.fromAsync(eachPage((from) => store.query({ pk: keys.unfinished('', '').pk, ...from })))
  return {
    items: pages.flatMap(({ items }) => items).map(unfinishedOf),
    damaged: pages.flatMap(({ damaged = [] }) => damaged),
  }
}

export const findUnfinished = async (
  store: Store,
  workspace: string,
  apply: string,
): Promise<Unfinished | undefined> => {
  const item = await store.get(keys.unfinished(workspace, apply))
  return item === undefined ? undefined : unfinishedOf(item)
}

/** True for exactly one of all callers that read the same entry; that caller may queue the apply again. */
export const moveUnfinished = async (store: Store, seen: Unfinished, next: Partial<Unfinished>): Promise<boolean> => {
  const unchanged = { kind: 'equals', attribute: 'lookAt', value: seen.lookAt } as const
  return (await store.write([{ kind: 'put', item: itemOf({ ...seen, ...next }), if: [unchanged] }])).ok
}

export const dropUnfinished = async (store: Store, { workspace, applyId }: Unfinished): Promise<void> => {
  await store.write([finishedWrite(workspace, applyId)])
}
