import type { ConfigSource } from '../config/files/source.ts'
import type { LoadSource } from '../config/modules/foreign.ts'
import type { ProviderRegistry } from '../provider/provider.ts'
import type { Actor } from '../schema/actor.ts'
import type { AlertRoute } from '../schema/alert-route.ts'
import type { BoxSealer, Cipher, Clock, Ids, Seal, SignJwt } from '../schema/ports.ts'
import type { Alert } from '../schema/stored/findings.ts'
import type { CommandOutcome } from '../schema/stored/outcome.ts'
import type { Retention } from '../state/retention.ts'
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
  /** The apply whose undo is planned instead. Only with `actor` and `scheduledFor`. */
  readonly undo?: string
  /** The lineage of the workspace that the check is for; absent: the first workspace with this name. */
  readonly lineage?: string
  /** Present for a check that an earlier invocation began. */
  readonly part?: CheckPart
  /** True: nothing is checked; what waits for the routes of the workspace is sent. */
  readonly tell?: true
}

/**
 * A part of a check that several invocations do, because it takes too long for one. Each part but the last keeps its
 * reads for the next.
 */
export interface CheckPart {
  /** When the first part began, an ISO time. */
  readonly since: string
  /** Counts from 1. */
  readonly number: number
}

/**
 * Work for another invocation. Both methods may deliver a message more than once, and reject with QUEUE_UNAVAILABLE.
 */
export interface Queue {
  /** Takes at most `batchSize` messages; returns the indexes of the refused ones. */
  checks(messages: readonly CheckMessage[], signal?: AbortSignal): Promise<readonly number[]>
  /** Delivers the messages of one workspace in order. */
  apply(message: { readonly workspace: string; readonly applyId: string }, signal?: AbortSignal): Promise<void>
}

/** Publishes an alert. Rejects if it was not accepted, and is then called again with the same alert. */
export interface AlertSink {
  publish(alert: Alert, signal?: AbortSignal): Promise<void>
}

/** Sends an alert to a receiver that its workspace names. Rejects with ROUTE_FAILED or SECRET_UNRESOLVED, and is then called again. */
export interface RouteSink {
  send(route: AlertRoute, alert: Alert): Promise<void>
}

/** Signs heads of ledgers, and keeps them where the store's writers cannot change them. Each call rejects if it failed. */
export interface LedgerAnchors {
  /** What the signatures are bound to besides the workspace. */
  readonly deployment: string
  /** Returns the signature of the text: ECDSA with P-256 and SHA-256, DER, in base64. */
  sign(text: string): Promise<string>
  /** In PEM. */
  publicKey(): Promise<string>
  keep(name: string, text: string): Promise<void>
}

/** Messages of one call. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
export const batchSize = 10

export type Progress =
  /** What the check is expected to send. Reported where a limit or an earlier check is known. */
  | ({ readonly step: 'forecast' } & Forecast)
  | { readonly step: 'reading'; readonly done: number; readonly total: number }
  | { readonly step: 'planning'; readonly resources: number }
  | { readonly step: 'waiting'; readonly until: string; readonly holder: string }
  /** A worker at the endpoint could not continue; another one will. */
  | { readonly step: 'interrupted'; readonly detail: string }
  | {
      readonly step: 'command'
      readonly id: string
      readonly description: string
      readonly n: number
      readonly of: number
    }
  /** `detail`: how the command is waited for, and the values of the latest answer. */
  | { readonly step: 'polling'; readonly id: string; readonly detail: string }
  | {
      readonly step: 'outcome'
      readonly id: string
      readonly status: CommandOutcome['status']
      readonly detail?: string
      /** The target is still at work on it. */
      readonly running?: true
    }

export interface Forecast {
  /** Requests that the API counts, and those that it is expected to answer with 304. */
  readonly counted: number
  readonly free: number
  readonly chosen: number
  readonly of: number
  /** After this number of checks like this one, each resource has been read. */
  readonly checks: number
  /** Requests that may be sent; absent if there is no limit. */
  readonly budget?: number
  /** Expected duration, if requests take as long as in the latest check and wait for the known limits. */
  readonly seconds?: number
}

/** An error that does not stop the work. No error is dropped; the composition root decides where it is reported. */
export interface Warning {
  /**
   * alert_waits: an alert was not delivered, or the outbox was not read. alert_lost: it was not delivered for a day, and is given up. lock_waits: a lock was not renewed. Both are
   * tried again. answers_lost: kept answers were not found or stored, so reads are requested in full; or the history of
   * reads was not stored, which costs only the forecast. check_cut: a check could not be handed over, so it ends, and
   * what was not read is unchecked. holdings_lost: what a workspace manages was not stored, so others learn it later.
   * record_damaged: an item of the store is damaged and was left out. anchor_waits: the head of a ledger
   * was not anchored, and is tried again.
   */
  readonly kind:
    | 'alert_waits'
    | 'alert_lost'
    | 'lock_waits'
    | 'answers_lost'
    | 'check_cut'
    | 'holdings_lost'
    | 'record_damaged'
    | 'anchor_waits'
  readonly workspace: string
  /**
   * `at`: ISO time of the check that found the reason for the alert. Missing if the list of alerts could not be read.
   */
  readonly alert?: { readonly id: string; readonly at: string }
  readonly error: unknown
}

/** The limits of one provider's target, and the files and programs that it may reach. */
export interface Confines {
  /** Absolute folders. */
  readonly fileRoots: readonly string[]
  /** Names of the programs that may run; no program if absent. */
  readonly programs?: readonly string[]
  readonly timeoutMs?: number
  readonly maxBodyBytes?: number
  readonly otherOrigins?: boolean
  /** A redirect is the answer, and is not followed. */
  readonly noRedirects?: boolean
  /** The Unix socket for all requests: a request to another origin or socket is refused. */
  readonly socket?: { readonly path: string; readonly origin: string }
  /** Certificates in PEM, read when they are needed. Rejects with SECRET_UNRESOLVED. */
  readonly tls?: () => Promise<{ readonly ca?: string; readonly cert?: string; readonly key?: string }>
}

export interface Deps {
  readonly store: Store
  /** The store is new with each command and gone after it, so that nothing is known of earlier checks and applies. */
  readonly keepsNothing?: true
  readonly config: ConfigSource
  readonly providers: () => Promise<ProviderRegistry>
  /** Formats of other products, by name, that modules can have. */
  readonly sources: Readonly<Record<string, LoadSource>>
  /**
   * Sends real requests: to http(s) URLs, and on the user's own machine to file and exec URLs. The workflows wrap it.
   */
  readonly transport: (confines: Confines) => Transport
  readonly secrets: Secrets
  /** Which secrets a workspace may name and read. Missing if everything on the machine belongs to its user. */
  readonly secretRules?: SecretRules
  readonly seal: Seal
  readonly signJwt: SignJwt
  readonly sealBox: BoxSealer
  readonly cipher: Cipher
  readonly alerts: AlertSink
  /** Absent where secrets cannot be read, or nothing is remembered: others send what waits for a route. */
  readonly routes?: RouteSink
  readonly queue: Queue
  /** Absent: heads of ledgers are not anchored. */
  readonly anchors?: LedgerAnchors
  readonly clock: Clock
  readonly ids: Ids
  readonly limits: {
    /** Largest number of concurrent reads. */
    readonly concurrency: number
    /** Length of the lease of a lock; the lock is renewed after a third of that. */
    readonly leaseMs: number
  }
  /** Absent: the usual one. */
  readonly retention?: Retention
  readonly warn: (warning: Warning) => void
  readonly progress?: (event: Progress) => void
  /** The end of reads and commands, with time left to store the results. Missing: no limit. */
  readonly deadline?: Deadline
  /**
   * Present for a check that may continue in another invocation. If missing, what is not read by the deadline is
   * unchecked.
   */
  readonly part?: CheckPart
}
