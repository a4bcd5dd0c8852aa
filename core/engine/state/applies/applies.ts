import { AppError } from '../../errors/errors.ts'
import { digest } from '../../json/digest.ts'
import { type Apply, hasEnded } from '../../schema/stored/records.ts'
import { defined, present } from '../../values/defined.ts'
import type { BlobRef } from '../store/blobs.ts'
import { type Changes, commit, eachOf, mustCommit, mustHold } from '../store/commit.ts'
import { blobDeletes, blobOf, documentChanges, getDocument, listDocuments } from '../store/documents.ts'
import { keys } from '../store/keys.ts'
import type { Condition, Item, Page, Paging, Store, Write } from '../store/store.ts'
import { type Lineage, stillOf } from '../workspaces/lineage.ts'
import { holdsLock, type Lock } from './lock.ts'
import { finishedWrite } from './unfinished-applies.ts'

/** A repeated request within this time gets the apply of the first one. */
const idempotencySeconds = 7 * 24 * 3600

/** A key that was used in a removed workspace of the same name does not count. */
const ownKey = (key: string, lineage: Lineage): string => (lineage === undefined ? key : `${lineage} ${key}`)

/** The digest of a request without its times. Equal digests mean the same request. */
const requestDigest = ({ mode, digest: approved, targets, exclude, basis, reason, actor }: Apply): string =>
  digest({
    mode,
    approved,
    targets,
    reason,
    subject: actor.subject,
    ...defined({ exclude, basis, issuer: actor.issuer }),
  })

const idempotencyWrite = (apply: Apply, key: string, lineage: Lineage): Write => ({
  kind: 'put',
  item: {
    ...keys.idempotency(apply.workspace, ownKey(key, lineage)),
    apply: apply.id,
    request: requestDigest(apply),
    ttl: Math.floor(Date.parse(apply.requestedAt) / 1000) + idempotencySeconds,
  },
  if: [{ kind: 'absent' }],
})

const earlier = (store: Store, apply: Apply, key: string, found: Item): Promise<Apply> => {
  if (found['request'] !== requestDigest(apply)) throw new AppError('IDEMPOTENCY_REUSED', { key })
  return getApply(store, apply.workspace, String(found['apply']))
}

const untouched: Condition = { kind: 'equals', attribute: 'untouched', value: true }

const applyDocument = (apply: Apply, condition: Condition, replaces?: BlobRef): Promise<Changes> =>
  documentChanges(keys.apply(apply.workspace, apply.id), apply, {
    if: [condition],
    replaces,
    attributes: { untouched: apply.startedAt === undefined },
  })

export interface ApplyClaim {
  readonly idempotencyKey?: string | undefined
  readonly lineage?: Lineage
}

/**
 * Returns the existing apply if the key was used for the same request. Throws IDEMPOTENCY_REUSED if it was used for
 * another request.
 */
export const createApply = async (
  store: Store,
  apply: Apply,
  { idempotencyKey, lineage, further = [] }: ApplyClaim & { readonly further?: readonly Write[] } = {},
): Promise<Apply> => {
  const document = await applyDocument(apply, { kind: 'absent' })
  const claim = idempotencyKey === undefined ? [] : [idempotencyWrite(apply, idempotencyKey, lineage)]
  const final = [...claim, ...document.final, ...further, ...stillOf(apply.workspace, lineage)]
  const result = await commit(store, { ...document, final })
  if (!result.ok && result.index === 0 && idempotencyKey !== undefined && result.found !== undefined) {
    return earlier(store, apply, idempotencyKey, result.found)
  }
  mustHold(result, final, `apply ${apply.id}`)
  return apply
}

/** Removes an apply that could not be queued. False if a worker has started it. */
export const withdrawApply = async (
  store: Store,
  apply: Apply,
  { idempotencyKey, lineage }: ApplyClaim = {},
): Promise<boolean> => {
  const key = keys.apply(apply.workspace, apply.id)
  const blob = blobOf(await store.get(key))
  const claim = idempotencyKey === undefined ? [] : [keys.idempotency(apply.workspace, ownKey(idempotencyKey, lineage))]
  const { ok } = await commit(store, {
    ahead: [],
    final: [
      { kind: 'delete', key, if: [untouched] },
      ...claim.map((each): Write => ({ kind: 'delete', key: each })),
      finishedWrite(apply.workspace, apply.id),
    ],
    behind: blobDeletes(key.pk, blob),
  })
  return ok
}

/**
 * Prevents a later withdrawal, because two requests got this apply as their answer. False if the apply was withdrawn
 * before.
 */
export const keepApply = async (store: Store, { workspace, id }: Apply): Promise<boolean> => {
  const key = keys.apply(workspace, id)
  const item = await store.get(key)
  if (item?.['untouched'] !== true) return item !== undefined
  const { ok } = await store.write([{ kind: 'put', item: { ...item, untouched: false }, if: [untouched] }])
  return ok || (await store.get(key)) !== undefined
}

/** `undefined` if the apply was never stored, or was withdrawn. */
export const findApply = (store: Store, workspace: string, id: string): Promise<Apply | undefined> =>
  getDocument<Apply>(store, keys.apply(workspace, id), `apply ${id}`)

/** Throws APPLY_NOT_FOUND. */
export const getApply = async (store: Store, workspace: string, apply: string): Promise<Apply> => {
  const found = await findApply(store, workspace, apply)
  if (found === undefined) throw new AppError('APPLY_NOT_FOUND', { apply })
  return found
}

/** Newest first. */
export const listApplies = (store: Store, workspace: string, paging: Paging): Promise<Page<Apply>> =>
  listDocuments<Apply>(store, (id) => keys.apply(workspace, id), paging, 'apply')

/** Newest first. Throws STORE_CORRUPT. */
export const eachApply = (store: Store, workspace: string): AsyncGenerator<Apply> =>
  eachOf((from) => listApplies(store, workspace, { limit: 100, ...from }))

export const applyChanges = async (store: Store, apply: Apply): Promise<Changes> => {
  const { workspace, id } = apply
  const old = blobOf(await store.get(keys.apply(workspace, id)))
  const document = await applyDocument(apply, { kind: 'exists' }, old)
  return { ...document, final: present<Write>(...document.final, hasEnded(apply) && finishedWrite(workspace, id)) }
}

/** Throws LOCK_LOST if another holder took the lock over. */
export const updateApply = async (store: Store, apply: Apply, lock: Lock): Promise<void> => {
  const changes = await applyChanges(store, apply)
  const guard = [holdsLock(lock)]
  await mustCommit(store, { ...changes, final: [...changes.final, ...guard], guard }, `apply ${apply.id}`)
}
