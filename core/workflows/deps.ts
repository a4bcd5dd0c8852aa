import type { ConfigSource } from '../config/files/source.ts'
import type { ProviderRegistry } from '../providers/provider.ts'
import type { Clock, Ids, Seal } from '../schema/ports.ts'
import type { Actor, Alert, CommandOutcome } from '../schema/records.ts'
import type { Store } from '../state/store/store.ts'
import type { Deadline } from '../transport/limits/deadline.ts'
import type { Secrets } from '../transport/secrets/secrets.ts'
import type { Transport } from '../transport/transport.ts'
import type { SecretRules } from '../values/secret-source.ts'

/** With `actor` somebody asked for it, at the time in `scheduledFor`; without, the schedule did. */
export interface CheckMessage {
  readonly workspace: string
  readonly scheduledFor?: string
  readonly actor?: Actor
  /** Of which of the workspaces that had this name; absent: of the first. */
  readonly lineage?: string
}

/** Work for another invocation. Both may deliver more than once, and reject with QUEUE_UNAVAILABLE. */
export interface Queue {
  /** At most `batchSize` messages; answers the places of those that were refused, each by itself. */
  checks(messages: readonly CheckMessage[], signal?: AbortSignal): Promise<readonly number[]>
  /** In order within a workspace. */
  apply(message: { readonly workspace: string; readonly applyId: string }, signal?: AbortSignal): Promise<void>
}

/** Hands an alert to whoever listens. Rejects when it was not taken over, and is then called again with the same alert. */
export interface AlertSink {
  publish(alert: Alert, signal?: AbortSignal): Promise<void>
}

/** Messages of one call. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
export const batchSize = 10

/** Steps of a run, for a terminal or a log. */
export type Progress =
  | { readonly step: 'reading'; readonly done: number; readonly total: number }
  | { readonly step: 'planning'; readonly resources: number }
  | { readonly step: 'waiting'; readonly until: string; readonly holder: string }
  | {
      readonly step: 'command'
      readonly id: string
      readonly description: string
      readonly n: number
      readonly of: number
    }
  /** What an accepted command is waited for with, and what the latest answer told. */
  | { readonly step: 'polling'; readonly id: string; readonly detail: string }
  | {
      readonly step: 'outcome'
      readonly id: string
      readonly status: CommandOutcome['status']
      readonly detail?: string
    }

/** An error beside the work, which goes on. The composition root decides who is told; no error is dropped. */
export interface Warning {
  /** An alert was not delivered, or the outbox not read; a lock was not renewed. Both are tried again. */
  readonly kind: 'alert_waits' | 'lock_waits'
  readonly workspace: string
  /** `at`: ISO time of the check that found its reason. Absent where the list of alerts could not be read. */
  readonly alert?: { readonly id: string; readonly at: string }
  readonly error: unknown
}

/** What one provider's target may cost, and which files it may reach. */
export interface Confines {
  /** Absolute folders. */
  readonly fileRoots: readonly string[]
  readonly timeoutMs?: number
  readonly maxBodyBytes?: number
  readonly otherOrigins?: boolean
  /** The Unix socket that everything goes to: requests to another origin, or to another socket, are refused. */
  readonly socket?: { readonly path: string; readonly origin: string }
  /** Certificates in PEM, asked for when they are needed. Rejects with SECRET_UNRESOLVED. */
  readonly tls?: () => Promise<{ readonly ca?: string; readonly cert?: string; readonly key?: string }>
}

/** Everything a workflow touches the world with. The composition root chooses what is real. */
export interface Deps {
  readonly store: Store
  readonly config: ConfigSource
  readonly providers: () => Promise<ProviderRegistry>
  /** Sends for real: http(s) URLs, and on a machine of the user's own file URLs. The workflows put the wrappers around it. */
  readonly transport: (confines: Confines) => Transport
  readonly secrets: Secrets
  /** Which secrets a workspace may name and read. Absent where all that the machine has is its user's. */
  readonly secretRules?: SecretRules
  readonly seal: Seal
  readonly alerts: AlertSink
  readonly queue: Queue
  readonly clock: Clock
  readonly ids: Ids
  readonly limits: {
    /** Reads under way at once. */
    readonly concurrency: number
    /** Length of a lock's lease; it is renewed at a third of it. */
    readonly leaseMs: number
  }
  readonly warn: (warning: Warning) => void
  readonly progress?: (event: Progress) => void
  /** End of reads and commands, with time left to store what was found. Absent: no limit. */
  readonly deadline?: Deadline
}
