import { digestOfText } from '../digest.ts'
import type { Key } from './store.ts'

const inWorkspace = (workspace: string, sk: string): Key => ({ pk: `W#${workspace}`, sk })

/** One width, so that times sort as text. */
export const sortable = (time: string): string => new Date(time).toISOString()

/** The table's keys, all in one place. */
export const keys = {
  workspace: (workspace: string): Key => inWorkspace(workspace, 'META'),
  /** The same record again, for listing. */
  directory: (workspace: string): Key => ({ pk: 'DIR', sk: workspace }),
  due: (workspace: string, nextCheckAt: string): Key => ({ pk: 'DUE', sk: `${sortable(nextCheckAt)}#${workspace}` }),
  state: (workspace: string): Key => inWorkspace(workspace, 'STATE'),
  recorded: (workspace: string, address: string): Key => inWorkspace(workspace, `R#${address}`),
  run: (workspace: string, run: string): Key => inWorkspace(workspace, `RUN#${run}`),
  plan: (workspace: string, run: string): Key => ({ pk: `RUN#${run}`, sk: `PLAN#${workspace}` }),
  scheduled: (workspace: string, time: string): Key => inWorkspace(workspace, `SCHED#${sortable(time)}`),
  commands: (workspace: string, digest: string): Key => inWorkspace(workspace, `DIGEST#${digest}`),
  apply: (workspace: string, apply: string): Key => inWorkspace(workspace, `APPLY#${apply}`),
  /** The caller's key may be any text of any length. */
  idempotency: (workspace: string, key: string): Key => inWorkspace(workspace, `KEY#${digestOfText(key)}`),
  lock: (workspace: string): Key => inWorkspace(workspace, 'LOCK'),
  /** How long a challenger has watched a lease stand still. */
  watch: (workspace: string): Key => inWorkspace(workspace, 'WATCH'),
  episode: (workspace: string, key: string): Key => inWorkspace(workspace, `EP#${key}`),
  alert: (workspace: string, alert: string): Key => inWorkspace(workspace, `OUT#${alert}`),
  /** Which workspaces have alerts that are not delivered. */
  undelivered: (workspace: string, alert: string): Key => ({ pk: 'OUTBOX', sk: `${workspace}#${alert}` }),
  entry: (workspace: string, seq: number): Key => ({ pk: `L#${workspace}`, sk: String(seq).padStart(12, '0') }),
  head: (workspace: string): Key => ({ pk: `L#${workspace}`, sk: 'HEAD' }),
} as const
