import pLimit from 'p-limit'
import { anchorName, anchorText, statementText } from '../../ledger/anchors.ts'
import { findRound, listUnanchored, noteAnchored, noteRound, noteUnanchored } from '../../state/anchors.ts'
import { soundOf } from '../../state/store/commit.ts'
import { listWorkspaces } from '../../state/workspaces/list-workspaces.ts'
import type { Deps, LedgerAnchors } from '../deps.ts'
import { stateHead } from './state-head.ts'

export type AnchorDeps = Pick<Deps, 'store' | 'clock' | 'warn' | 'anchors'>

const anchor = async (workspace: string, anchors: LedgerAnchors, { store, clock }: AnchorDeps): Promise<void> => {
  const { deployment } = anchors
  const statement = await stateHead({ workspace, deployment }, { store, clock })
  if (statement === undefined) return noteAnchored(store, workspace, undefined)
  const signature = await anchors.sign(statementText(statement))
  await anchors.keep(anchorName(statement), anchorText({ anchor: statement, signature }))
  const { seq, hash, at } = statement
  await noteAnchored(store, workspace, { seq, hash, at })
}

/**
 * Has the head of a ledger signed and kept, if the deployment keeps anchors, and returns whether it was. Never rejects: what fails is
 * reported to `deps.warn`, and the next tick tries again.
 */
export const anchorLedger = async (
  { workspace }: { readonly workspace: string },
  deps: AnchorDeps,
): Promise<boolean> => {
  if (deps.anchors === undefined) return false
  try {
    await anchor(workspace, deps.anchors, deps)
    return true
  } catch (error) {
    deps.warn({ kind: 'anchor_waits', workspace, error })
    // If this fails too, the next round finds the workspace.
    await noteUnanchored(deps.store, workspace, deps.clock.now().toISOString()).catch((cause: unknown) =>
      deps.warn({ kind: 'anchor_waits', workspace, error: cause }),
    )
    return false
  }
}

const dayMs = 24 * 60 * 60 * 1_000
const pageSize = 500
/** The number is low, because the checks of the tick have priority. */
const atOnce = 4

/** Once a day puts every workspace on the list, and the public key beside the anchors, from where auditors take it. */
const startRound = async (anchors: LedgerAnchors, { store, clock }: AnchorDeps): Promise<void> => {
  const now = clock.now()
  const last = await findRound(store)
  if (last !== undefined && now.getTime() - Date.parse(last) < dayMs) return
  const limit = pLimit(atOnce)
  const all = await Array.fromAsync(soundOf((from) => listWorkspaces(store, { limit: pageSize, ...from })))
  await Promise.all(all.map(({ id }) => limit(() => noteUnanchored(store, id, now.toISOString()))))
  await anchors.keep('public-key.pem', await anchors.publicKey())
  await noteRound(store, now.toISOString())
}

/**
 * Anchors what waits, then starts the round of the day. Returns how many were anchored; starts no anchor after `until`. Rejects
 * if the list cannot be read, or the public key not be kept.
 */
export const keepAnchors = async (deps: AnchorDeps, { until }: { readonly until?: Date } = {}): Promise<number> => {
  const { anchors, store, clock } = deps
  if (anchors === undefined) return 0
  const limit = pLimit(atOnce)
  const isOver = (): boolean => until !== undefined && clock.now() >= until
  const waiting = await listUnanchored(store)
  const kept = await Promise.all(
    waiting.map(({ workspace }) => limit(async () => !isOver() && anchorLedger({ workspace }, deps))),
  )
  if (!isOver()) await startRound(anchors, deps)
  return kept.filter(Boolean).length
}
