import { digestOfText } from '../../json/digest.ts'
import type { Key } from './store.ts'

const inWorkspace = (workspace: string, sk: string): Key => ({ pk: `W#${workspace}`, sk })

/** Apart from the rest of the workspace, so that a policy can keep checks from it. */
const ofApplies = (workspace: string, sk: string): Key => ({ pk: `A#${workspace}`, sk })

/** Times have the same width, so that they sort as text. */
export const sortable = (time: string): string => new Date(time).toISOString()

/** Partitions of the due list. The name of a workspace decides its partition, so that writes are spread. */
export const duePartitions: readonly string[] = Array.from('0123456789abcdef', (digit) => `DUE#${digit}`)
const shardOf = (workspace: string): string => `DUE#${digestOfText(workspace).slice('sha256:'.length)[0]}`
const dueAt = (pk: string, workspace: string, time: string): Key => ({ pk, sk: `${sortable(time)}#${workspace}` })

/** Numbers of entries sort as text. */
const padded = (seq: number): string => String(seq).padStart(12, '0')

export const keys = {
  workspace: (workspace: string): Key => inWorkspace(workspace, 'META'),
  removed: (workspace: string): Key => inWorkspace(workspace, 'REMOVED'),
  directory: (workspace: string): Key => ({ pk: 'DIR', sk: workspace }),
  due: (workspace: string, nextCheckAt: string): Key => dueAt(shardOf(workspace), workspace, nextCheckAt),
  quarantine: (workspace: string): Key => ({ pk: 'QUARANTINE', sk: workspace }),
  state: (workspace: string): Key => inWorkspace(workspace, 'STATE'),
  /** `generation` is present for records that were written at once. */
  recorded: (workspace: string, address: string, generation?: string): Key =>
    inWorkspace(workspace, generation === undefined ? `R#${address}` : `G#${generation}#${address}`),
  backup: (workspace: string, backup: string): Key => inWorkspace(workspace, `BACKUP#${backup}`),
  reads: (workspace: string): Key => inWorkspace(workspace, 'READS'),
  /** `home` is a server with a part of its paths, so that one query finds what is in a part. */
  holdings: (home: string, workspace: string): Key => {
    const at = home.lastIndexOf(' ')
    return { pk: `HOME#${digestOfText(home.slice(0, at))}`, sk: `${home.slice(at + 1)}#${workspace}` }
  },
  homes: (workspace: string): Key => inWorkspace(workspace, 'HOMES'),
  /** Padded, so that versions sort by number. */
  version: (workspace: string, version: number): Key =>
    inWorkspace(workspace, `VERSION#${String(version).padStart(9, '0')}`),
  versions: (workspace: string): Key => inWorkspace(workspace, 'VERSION#'),
  source: (workspace: string): Key => inWorkspace(workspace, 'SOURCE'),
  /** `digest` is that of the body of the webhook. */
  delivery: (workspace: string, digest: string): Key => inWorkspace(workspace, `HOOK#${digest}`),
  run: (workspace: string, run: string): Key => inWorkspace(workspace, `RUN#${run}`),
  /** A run that is no check. `asideAt` finds it by its requested time. */
  aside: (workspace: string, run: string): Key => inWorkspace(workspace, `ASIDE#${run}`),
  asideAt: (workspace: string, time: string): Key => inWorkspace(workspace, `ASIDEAT#${sortable(time)}`),
  /** `digest` is that of the whole plan; several runs may share it. */
  plan: (workspace: string, digest: string): Key => inWorkspace(workspace, `PLAN#${digest}`),
  scheduled: (workspace: string, time: string): Key => inWorkspace(workspace, `SCHED#${sortable(time)}`),
  commands: (workspace: string, digest: string): Key => inWorkspace(workspace, `DIGEST#${digest}`),
  apply: (workspace: string, apply: string): Key => ofApplies(workspace, `APPLY#${apply}`),
  sight: (workspace: string, apply: string, object: string): Key => ofApplies(workspace, `SEEN#${apply}#${object}`),
  unfinished: (workspace: string, apply: string): Key => ({ pk: 'APPLIES', sk: `${workspace}#${apply}` }),
  /** The digest is used because the key of the caller may be any text of any length. */
  idempotency: (workspace: string, key: string): Key => ofApplies(workspace, `KEY#${digestOfText(key)}`),
  lock: (workspace: string): Key => ofApplies(workspace, 'LOCK'),
  watch: (workspace: string): Key => inWorkspace(workspace, 'WATCH'),
  episode: (workspace: string, key: string): Key => inWorkspace(workspace, `EP#${key}`),
  alert: (workspace: string, alert: string): Key => inWorkspace(workspace, `OUT#${alert}`),
  /** The copy of an alert for a route, by its place in the list of routes. */
  routed: (workspace: string, alert: string, route: string): Key => inWorkspace(workspace, `ROUTED#${alert}#${route}`),
  undelivered: (workspace: string, alert: string): Key => ({ pk: 'OUTBOX', sk: `${workspace}#${alert}` }),
  anchored: (workspace: string): Key => inWorkspace(workspace, 'ANCHOR'),
  unanchored: (workspace: string): Key => ({ pk: 'ANCHORS', sk: workspace }),
  /** No workspace has a name in capitals. */
  anchorRound: { pk: 'ANCHORS', sk: 'ROUND' },
  /** Kept answers; with `check` those of an unfinished check. */
  answers: (workspace: string, pack: string, check?: string): Key => ({
    pk: `H#${workspace}`,
    sk: check === undefined ? `PACK#${pack}` : `CHECK#${check}#${pack}`,
  }),
  entry: (workspace: string, seq: number): Key => ({ pk: `L#${workspace}`, sk: padded(seq) }),
  head: (workspace: string): Key => ({ pk: `L#${workspace}`, sk: 'HEAD' }),
  /** Where neighbouring entries of an apply or an actor begin; the digest is used because a subject may be any text. */
  stretchOfApply: (workspace: string, apply: string, seq: number): Key => ({
    pk: `L#${workspace}`,
    sk: `APPLY#${apply}#${padded(seq)}`,
  }),
  stretchOfActor: (workspace: string, subject: string, seq: number): Key => ({
    pk: `L#${workspace}`,
    sk: `ACTOR#${digestOfText(subject)}#${padded(seq)}`,
  }),
} as const
