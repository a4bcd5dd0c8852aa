import type { ConfigSource } from '../config/files/source.ts'
import type { LoadSource } from '../config/modules/foreign.ts'
import type { ProviderRegistry } from '../provider/provider.ts'
import type { Actor } from '../schema/actor.ts'
import type { BoxSealer, Cipher, Clock, Ids, Seal, SignJwt } from '../schema/ports.ts'
import type { Alert } from '../schema/stored/findings.ts'
import type { CommandOutcome } from '../schema/stored/outcome.ts'
import type { Store } from '../state/store/store.ts'
import type { Deadline } from '../transport/limits/deadline.ts'
import type { Secrets } from '../transport/secrets/secrets.ts'
import type { Transport } from '../transport/transport.ts'
import type { SecretRules } from '../values/secret-source.ts'

/** With `actor`, a caller requested it at the time in `scheduledFor`; without, the schedule did. */
export interface CheckMessage {
  readonly workspace: string
  readonly scheduledFor?: string
  readonly actor?: Actor
  /** False: nothing live is read. Only with `actor`. */
  readonly refresh?: false
  /** Which of the workspaces with this name it is for; absent: the first one. */
  readonly lineage?: string
  /** Of a check that an earlier invocation began. */
  readonly part?: CheckPart
}

/** A check that one invocation cannot end is done by several: each but the last keeps what it read. */
export interface CheckPart {
  /** When the first part began, an ISO time. */
  readonly since: string
  /** Counts from 1. */
  readonly number: number
}

/** Work for another invocation. Both may deliver a message more than once, and reject with QUEUE_UNAVAILABLE. */
export interface Queue {
  /** At most `batchSize` messages; returns the indexes of those that were refused one by one. */
  checks(messages: readonly CheckMessage[], signal?: AbortSignal): Promise<readonly number[]>
  /** In order within a workspace. */
  apply(message: { readonly workspace: string; readonly applyId: string }, signal?: AbortSignal): Promise<void>
}

/** Publishes an alert. Rejects if it was not accepted, and is then called again with the same alert. */
export interface AlertSink {
  publish(alert: Alert, signal?: AbortSignal): Promise<void>
}

/** Messages of one call. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
export const batchSize = 10

/** Steps of a run, for a terminal or a log. */
export type Progress =
  /** What the check is expected to send, where a limit or an earlier check is known. */
  | ({ readonly step: 'forecast' } & Forecast)
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
  /** How to wait for an accepted command, and the values of the latest answer. */
  | { readonly step: 'polling'; readonly id: string; readonly detail: string }
  | {
      readonly step: 'outcome'
      readonly id: string
      readonly status: CommandOutcome['status']
      readonly detail?: string
    }

/** What a check is expected to do. */
export interface Forecast {
  /** Requests that the API counts, and those that it is expected to answer with 304. */
  readonly counted: number
  readonly free: number
  readonly chosen: number
  readonly of: number
  /** After so many checks like this one each resource was read. */
  readonly checks: number
  /** Requests that may be sent; absent without a limit. */
  readonly budget?: number
  /** If requests take as long as in the latest check, and wait for the limits that are known. */
  readonly seconds?: number
}

/** An error beside the work, which continues. The composition root decides where it is reported; no error is dropped. */
export interface Warning {
  /**
   * An alert was not delivered, the outbox was not read, or a lock was not renewed: all of these are tried again. Or kept
   * answers of reads were not found or stored: they are requested as a whole. Or a check could not be handed over: it ends,
   * and what was not read is unchecked.
   */
  readonly kind: 'alert_waits' | 'lock_waits' | 'answers_lost' | 'check_cut'
  readonly workspace: string
  /** `at`: ISO time of the check that found its reason. Missing if the list of alerts could not be read. */
  readonly alert?: { readonly id: string; readonly at: string }
  readonly error: unknown
}

/** The limits of one provider's target, and the files and programs that it may reach. */
export interface Confines {
  /** Absolute folders. */
  readonly fileRoots: readonly string[]
  /** Names of the programs that it may run; none when absent. */
  readonly programs?: readonly string[]
  readonly timeoutMs?: number
  readonly maxBodyBytes?: number
  readonly otherOrigins?: boolean
  /** The Unix socket for all requests: a request to another origin, or to another socket, is refused. */
  readonly socket?: { readonly path: string; readonly origin: string }
  /** Certificates in PEM, read when they are needed. Rejects with SECRET_UNRESOLVED. */
  readonly tls?: () => Promise<{ readonly ca?: string; readonly cert?: string; readonly key?: string }>
}

/** All side effects of workflows. The composition root chooses the adapters. */
export interface Deps {
  readonly store: Store
  readonly config: ConfigSource
  readonly providers: () => Promise<ProviderRegistry>
  /** The formats of other products that modules can have. */
  readonly sources: Readonly<Record<string, LoadSource>>
  /** Sends real requests: http(s) URLs, and on the user's own machine file and exec URLs. The workflows wrap it. */
  readonly transport: (confines: Confines) => Transport
  readonly secrets: Secrets
  /** Which secrets a workspace may name and read. Missing if everything on the machine belongs to its user. */
  readonly secretRules?: SecretRules
  readonly seal: Seal
  readonly signJwt: SignJwt
  readonly sealBox: BoxSealer
  readonly cipher: Cipher
  readonly alerts: AlertSink
  readonly queue: Queue
  readonly clock: Clock
  readonly ids: Ids
  readonly limits: {
    /** Largest number of concurrent reads. */
    readonly concurrency: number
    /** Length of the lease of a lock; it is renewed after a third of it. */
    readonly leaseMs: number
  }
  readonly warn: (warning: Warning) => void
  readonly progress?: (event: Progress) => void
  /** The end of reads and commands, with time left to store the results. Missing: no limit. */
  readonly deadline?: Deadline
  /** Of a check that may go on in another invocation. Missing: what is not read by the deadline is unchecked. */
  readonly part?: CheckPart
}
