import { AppError, isAppError } from '../../errors/errors.ts'
import type { DamagedRecord } from '../../schema/stored/damaged.ts'
import { defined } from '../../values/defined.ts'
import { flawOfBody, flawOfItem, formatName, formatOf, hasFacts, idOf, kindOf, workspaceIn } from './kinds.ts'
import { keyOf } from './limits.ts'
import type { Condition, Damaged, Item, Key, Page, Store, Write } from './store.ts'
import { damages, kindNames, things } from './words.ts'

/** An adapter gives an item this attribute, beside its key, if it cannot read what is stored. */
export const unreadable = '#unreadable'

const unusable = (key: Key, errorOf: (what: string) => AppError): Damaged => {
  const kind = kindOf(key) ?? 'chunk'
  const id = idOf(key)
  const workspace = workspaceIn(key)
  const what = id === workspace ? `${kindNames[kind]} ${id}` : `${kindNames[kind]} ${id} of ${workspace}`
  return { key: { pk: key.pk, sk: key.sk }, kind, id, workspace, error: errorOf(what) }
}

export const damagedAt = (key: Key, detail: string, cause?: unknown): Damaged =>
  unusable(key, (what) => new AppError('STORE_CORRUPT', { what, detail }, { cause }))

/** True for the errors of an item that is there and cannot be used: STORE_CORRUPT, STATE_NEWER. */
export const isUnusable = (error: unknown): error is AppError =>
  isAppError(error, 'STORE_CORRUPT') || isAppError(error, 'STATE_NEWER')

/** An item of a later format is not damaged: only this version cannot read it. */
const newnessOf = (item: Item): Damaged | undefined => {
  const kind = kindOf(item)
  const found = item[formatName]
  if (kind === undefined || typeof found !== 'number' || found <= formatOf(kind)) return undefined
  return unusable(
    item,
    (what) => new AppError('STATE_NEWER', { what: things.stored(what), found: `${found}`, known: `${formatOf(kind)}` }),
  )
}

const damageOf = (item: Item): Damaged | undefined => {
  const newness = newnessOf(item)
  if (newness !== undefined) return newness
  if (item[unreadable] !== undefined) return damagedAt(item, damages.unreadable)
  const flaw = flawOfItem(item)
  return flaw === undefined ? undefined : damagedAt(item, damages.member(flaw))
}

/** Without the mark of an item whose facts are all in its key. */
const asKey = (item: Item): Item => {
  const kind = kindOf(item)
  if (item[unreadable] === undefined || kind === undefined || hasFacts(kind)) return item
  const { pk, sk, [formatName]: format } = item
  return { pk, sk, ...defined({ [formatName]: format }) }
}

const withoutFormat = (item: Item): Item => {
  if (item[formatName] === undefined || kindOf(item) === undefined) return item
  const { [formatName]: _, ...rest } = item
  return rest as Item
}

/** Gives what is written its format. What is there in a later format is neither replaced, nor deleted, nor checked. */
const withFormat = (write: Write): Write => {
  const kind = kindOf(keyOf(write))
  if (kind === undefined) return write
  const value = formatOf(kind)
  const known: Condition = { kind: 'absentOrAtMost', attribute: formatName, value }
  const guarded = { ...write, if: [...(write.if ?? []), known] }
  return guarded.kind === 'put' ? { ...guarded, item: { [formatName]: value, ...guarded.item } } : guarded
}

/** Throws STORE_CORRUPT if the document that belongs to the key has another form. */
export const verifyBody = (key: Key, body: unknown): void => {
  const flaw = flawOfBody(key, body)
  if (flaw !== undefined) throw damagedAt(key, damages.member(flaw)).error
}

/**
 * Verifies each item that is read. Every adapter is wrapped in this, so a damaged item is never taken for another one or
 * for none: `get` rejects with STORE_CORRUPT, and a page names it in `damaged`. So it is with an item of a later format, and
 * STATE_NEWER: a `write` on it rejects, too, with or without conditions of its own.
 */
export const verified = <Some extends Store>(store: Some): Some => {
  const sound = (item: Item | undefined): Item | undefined => {
    if (item === undefined) return undefined
    const read = asKey(item)
    const damaged = damageOf(read)
    if (damaged !== undefined) throw damaged.error
    return withoutFormat(read)
  }
  return {
    ...store,
    get: async (key, signal) => sound(await store.get(key, signal)),
    query: async (query, signal) => {
      const { items: found, ...page } = await store.query(query, signal)
      const read = found.map((item) => asKey(item)).map((item) => ({ item, damage: damageOf(item) }))
      const damaged = read.flatMap(({ damage }) => damage ?? [])
      const items = read.flatMap(({ item, damage }) => (damage === undefined ? [withoutFormat(item)] : []))
      return { items, ...page, ...(damaged.length === 0 ? {} : { damaged }) } satisfies Page
    },
    write: async (writes, signal) => {
      const result = await store.write(writes.map(withFormat), signal)
      if (result.ok) return result
      return { ...result, ...defined({ found: sound(result.found) }) }
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
      if (isUnusable(error)) report({ ...damagedAt(key, ''), error })
      throw error
    }
  },
  query: async (query, signal) => {
    const page = await store.query(query, signal)
    for (const damaged of page.damaged ?? []) report(damaged)
    return page
  },
})
