import { flawIn, flawOfRef, itemForms, type RecordKind } from '../../schema/stored/item-forms.ts'
import type { Item, Key } from './store.ts'

/** Their documents are always readable in the item. */
const inItem: ReadonlySet<RecordKind> = new Set(['workspace', 'removed', 'alert', 'routed'])

/** By the start of the partition key, and in the partition of a workspace by the start of the sort key. */
const kindsByKey = new Map<string, RecordKind>(
  Object.entries({
    'W META': 'workspace',
    'W REMOVED': 'removed',
    'W STATE': 'state',
    'W R': 'recorded',
    'W G': 'recorded',
    'W BACKUP': 'backup',
    'W READS': 'reads',
    'W HOMES': 'homes',
    'W VERSION': 'version',
    'W SOURCE': 'source',
    'W HOOK': 'delivery',
    'W RUN': 'run',
    'W ASIDE': 'run',
    'W ASIDEAT': 'pointer',
    'W SCHED': 'pointer',
    'W DIGEST': 'pointer',
    'W PLAN': 'plan',
    'A APPLY': 'apply',
    'A SEEN': 'sight',
    'A KEY': 'idempotency',
    'A LOCK': 'lock',
    'W WATCH': 'watch',
    'W EP': 'episode',
    'W OUT': 'alert',
    'W ROUTED': 'routed',
    'W ANCHOR': 'anchored',
    'W BLOB': 'chunk',
    DIR: 'directory',
    DUE: 'due',
    QUARANTINE: 'quarantine',
    HOME: 'holdings',
    APPLIES: 'unfinished',
    OUTBOX: 'undelivered',
    ANCHORS: 'unanchored',
    H: 'answers',
    'L HEAD': 'head',
    'L APPLY': 'stretch',
    'L ACTOR': 'stretch',
    L: 'entry',
  } as const),
)

const startOf = (key: string): string => key.slice(0, (key.indexOf('#') + 1 || key.length + 1) - 1)
const restOf = (key: string): string => key.slice(startOf(key).length + 1)

/** `undefined` for an item that is not of this program. */
export const kindOf = ({ pk, sk }: Key): RecordKind | undefined => {
  const place = startOf(pk)
  if (startOf(sk) === 'BLOB') return 'chunk'
  return (
    kindsByKey.get(`${place} ${startOf(sk)}`) ?? (place === 'W' || place === 'A' ? undefined : kindsByKey.get(place))
  )
}

/** The id of an item among those of its kind: that of the workspace for an item that is there once. */
export const idOf = (key: Key): string =>
  ['W', 'A'].includes(startOf(key.pk))
    ? restOf(key.sk) || restOf(key.pk)
    : kindOf(key) === 'head'
      ? restOf(key.pk)
      : startOf(key.pk) === 'HOME'
        ? workspaceIn(key)
        : key.sk

/** The workspace of an item, as its key tells it. */
export const workspaceIn = ({ pk, sk }: Key): string =>
  ['W', 'A', 'L', 'H'].includes(startOf(pk))
    ? restOf(pk)
    : ['DUE', 'HOME'].includes(startOf(pk))
      ? restOf(sk)
      : startOf(sk)

/** The attribute with the format of an item. Readers of a store do not see it. */
export const formatName = 'v'

/** The latest format that this code knows. An item without a format has the first. */
export const formatOf = (kind: RecordKind): number => itemForms[kind].format ?? 1

export const hasFacts = (kind: RecordKind): boolean => itemForms[kind].item !== undefined

/** The member of a document by which another item is found, because it names another place than its key. */
const foreignName = (key: Key, kind: RecordKind, value: unknown): string | undefined => {
  const { workspace: named, id, address } = value as Readonly<Record<string, unknown>>
  if (named !== undefined && named !== workspaceIn(key)) return 'workspace'
  if (kind === 'recorded' && !idOf(key).endsWith(String(address))) return 'address'
  return ['workspace', 'run', 'apply', 'alert'].includes(kind) && id !== idOf(key) ? 'id' : undefined
}

/** The path of the first wrong member; the empty text is the whole document. */
export const flawOfBody = (key: Key, body: unknown): string | undefined => {
  const kind = kindOf(key)
  const form = kind && itemForms[kind].body
  return kind === undefined || form === undefined ? undefined : (flawIn(form, body) ?? foreignName(key, kind, body))
}

const flawOfDocument = (item: Item, kind: RecordKind): string | undefined => {
  if (inItem.has(kind)) return flawOfBody(item, item['body'])
  if (item['blob'] !== undefined) return flawOfRef(item['blob']) === undefined ? undefined : 'blob'
  if (item['packed'] !== undefined) return item['packed'] instanceof Uint8Array ? undefined : 'packed'
  return flawOfBody(item, item['body'])
}

/** Like `flawOfBody`, for an item as it is stored. A document that is not readable in it is not verified here. */
export const flawOfItem = (item: Item): string | undefined => {
  const kind = kindOf(item)
  if (kind === undefined) return undefined
  if (item.ttl !== undefined && typeof item.ttl !== 'number') return 'ttl'
  if (item[formatName] !== undefined && typeof item[formatName] !== 'number') return formatName
  const { item: attributes, body } = itemForms[kind]
  return flawIn(attributes, item) ?? (body === undefined ? undefined : flawOfDocument(item, kind))
}
