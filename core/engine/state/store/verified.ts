import { AppError, isAppError } from '../../errors/errors.ts'
import type { DamagedRecord } from '../../schema/stored/damaged.ts'
import { flawOfBody, flawOfItem, hasFacts, idOf, kindOf, workspaceIn } from './kinds.ts'
import type { Damaged, Item, Key, Page, Store } from './store.ts'
import { damages, kindNames } from './words.ts'

/** An adapter gives an item this attribute, beside its key, if it cannot read what is stored. */
export const unreadable = '#unreadable'

export const damagedAt = (key: Key, detail: string, cause?: unknown): Damaged => {
  const kind = kindOf(key) ?? 'chunk'
  const id = idOf(key)
  const workspace = workspaceIn(key)
  const what = id === workspace ? `${kindNames[kind]} ${id}` : `${kindNames[kind]} ${id} of ${workspace}`
  const error = new AppError('STORE_CORRUPT', { what, detail }, { cause })
  return { key: { pk: key.pk, sk: key.sk }, kind, id, workspace, error }
}

const damageOf = (item: Item): Damaged | undefined => {
  if (item[unreadable] !== undefined) return damagedAt(item, damages.unreadable)
  const flaw = flawOfItem(item)
  return flaw === undefined ? undefined : damagedAt(item, damages.member(flaw))
}

/** Without the mark of an item whose facts are all in its key. */
const asKey = (item: Item): Item => {
  const kind = kindOf(item)
  if (item[unreadable] === undefined || kind === undefined || hasFacts(kind)) return item
  return { pk: item.pk, sk: item.sk }
}

/** Throws STORE_CORRUPT if the document that belongs to the key has another form. */
export const verifyBody = (key: Key, body: unknown): void => {
  const flaw = flawOfBody(key, body)
  if (flaw !== undefined) throw damagedAt(key, damages.member(flaw)).error
}

/**
 * Verifies each item that is read. Every adapter is wrapped in this, so a damaged item is never taken for another one or
 * for none: `get` rejects with STORE_CORRUPT, and a page names it in `damaged`.
 */
export const verified = <Some extends Store>(store: Some): Some => {
  const sound = (item: Item | undefined): Item | undefined => {
    if (item === undefined) return undefined
    const read = asKey(item)
    const damaged = damageOf(read)
    if (damaged !== undefined) throw damaged.error
    return read
  }
  return {
    ...store,
    get: async (key, signal) => sound(await store.get(key, signal)),
    query: async (query, signal) => {
      const { items: found, ...page } = await store.query(query, signal)
      const read = found.map((item) => asKey(item)).map((item) => ({ item, damage: damageOf(item) }))
      const damaged = read.flatMap(({ damage }) => damage ?? [])
      const items = read.flatMap(({ item, damage }) => (damage === undefined ? [item] : []))
      return { items, ...page, ...(damaged.length === 0 ? {} : { damaged }) } satisfies Page
    },
    write: async (writes, signal) => {
      const result = await store.write(writes, signal)
      if (!result.ok) sound(result.found)
      return result
    },
  }
}

/** As answers name damaged items; `undefined` if there are none. */
export const namesOf = (all: readonly DamagedRecord[] = []): DamagedRecord[] | undefined =>
  all.length === 0
    ? undefined
    : all.map(({ kind, id, error: { code, message, hint } }) => ({ kind, id, error: { code, message, hint } }))

/** Tells `report` about each damaged item that anybody reads. */
export const reporting = (store: Store, report: (damaged: Damaged) => void): Store => ({
  ...store,
  report,
  get: async (key, signal) => {
    try {
      return await store.get(key, signal)
    } catch (error) {
      if (isAppError(error, 'STORE_CORRUPT')) report({ ...damagedAt(key, ''), error })
      throw error
    }
  },
  query: async (query, signal) => {
    const page = await store.query(query, signal)
    for (const damaged of page.damaged ?? []) report(damaged)
    return page
  },
})
