import { digestOfText } from '../../json/digest.ts'
import type { Key } from './store.ts'

const inWorkspace = (workspace: string, sk: string): Key => ({ pk: `W#${workspace}`, sk })

/** One width, so that times sort as text. */
export const sortable = (time: string): string => new Date(time).toISOString()

/** The partitions of the due list: by name, so that the writes of all workspaces are spread. */
export const duePartitions: readonly string[] = Array.from('0123456789abcdef', (digit) => `DUE#${digit}`)
const shardOf = (workspace: string): string => `DUE#${digestOfText(workspace).slice('sha256:'.length)[0]}`
const dueAt = (pk: string, workspace: string, time: string): Key => ({ pk, sk: `${sortable(time)}#${workspace}` })

/** The table's keys, all in one place. */
export const keys = {
  workspace: (workspace: string): Key => inWorkspace(workspace, 'META'),
  /** Marks a removed workspace, with who removed it. */
  removed: (workspace: string): Key => inWorkspace(workspace, 'REMOVED'),
  /** Marks an existing workspace, for listing. */
  directory: (workspace: string): Key => ({ pk: 'DIR', sk: workspace }),
  due: (workspace: string, nextCheckAt: string): Key => dueAt(shardOf(workspace), workspace, nextCheckAt),
  /** Due checks that cannot be queued. */
  quarantine: (workspace: string): Key => ({ pk: 'QUARANTINE', sk: workspace }),
  state: (workspace: string): Key => inWorkspace(workspace, 'STATE'),
  /** `generation`: of records that were all written at once. */
  recorded: (workspace: string, address: string, generation?: string): Key =>
    inWorkspace(workspace, generation === undefined ? `R#${address}` : `G#${generation}#${address}`),
  /** What was recorded before a user changed it. */
  backup: (workspace: string, backup: string): Key => inWorkspace(workspace, `BACKUP#${backup}`),
  /** What earlier checks read, and what it cost. */
  reads: (workspace: string): Key => inWorkspace(workspace, 'READS'),
  /** A version of the configuration, sorted by its number. */
  version: (workspace: string, version: number): Key =>
    inWorkspace(workspace, `VERSION#${String(version).padStart(9, '0')}`),
  versions: (workspace: string): Key => inWorkspace(workspace, 'VERSION#'),
  /** What was last seen of the source of a configuration. */
  source: (workspace: string): Key => inWorkspace(workspace, 'SOURCE'),
  /** A delivery of a webhook, by the digest of its body. */
  delivery: (workspace: string, digest: string): Key => inWorkspace(workspace, `HOOK#${digest}`),
  run: (workspace: string, run: string): Key => inWorkspace(workspace, `RUN#${run}`),
  /** A run that is no check, and where its requested time leads. */
  aside: (workspace: string, run: string): Key => inWorkspace(workspace, `ASIDE#${run}`),
  asideAt: (workspace: string, time: string): Key => inWorkspace(workspace, `ASIDEAT#${sortable(time)}`),
  /** A plan, which several runs may have: by the digest of all of it. */
  plan: (workspace: string, digest: string): Key => inWorkspace(workspace, `PLAN#${digest}`),
  scheduled: (workspace: string, time: string): Key => inWorkspace(workspace, `SCHED#${sortable(time)}`),
  commands: (workspace: string, digest: string): Key => inWorkspace(workspace, `DIGEST#${digest}`),
  apply: (workspace: string, apply: string): Key => inWorkspace(workspace, `APPLY#${apply}`),
  /** The state of an object that an apply saw. */
  sight: (workspace: string, apply: string, object: string): Key => inWorkspace(workspace, `SEEN#${apply}#${object}`),
  /** An apply that has not ended. */
  unfinished: (workspace: string, apply: string): Key => ({ pk: 'APPLIES', sk: `${workspace}#${apply}` }),
  /** The caller's key may be any text of any length. */
  idempotency: (workspace: string, key: string): Key => inWorkspace(workspace, `KEY#${digestOfText(key)}`),
  lock: (workspace: string): Key => inWorkspace(workspace, 'LOCK'),
  /** How long a challenger has seen a lease without renewal. */
  watch: (workspace: string): Key => inWorkspace(workspace, 'WATCH'),
  episode: (workspace: string, key: string): Key => inWorkspace(workspace, `EP#${key}`),
  alert: (workspace: string, alert: string): Key => inWorkspace(workspace, `OUT#${alert}`),
  /** Which workspaces have alerts that are not delivered. */
  undelivered: (workspace: string, alert: string): Key => ({ pk: 'OUTBOX', sk: `${workspace}#${alert}` }),
  /** Answers of reads: those that may be valid still, or those of a check that goes on. */
  answers: (workspace: string, pack: string, check?: string): Key => ({
    pk: `H#${workspace}`,
    sk: check === undefined ? `PACK#${pack}` : `CHECK#${check}#${pack}`,
  }),
  entry: (workspace: string, seq: number): Key => ({ pk: `L#${workspace}`, sk: String(seq).padStart(12, '0') }),
  head: (workspace: string): Key => ({ pk: `L#${workspace}`, sk: 'HEAD' }),
} as const
