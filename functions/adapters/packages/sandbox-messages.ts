import type { MessagePort } from 'node:worker_threads'

/** Messages between the sandbox's thread and its user. Values are JSON texts. */
export type ToGuest =
  | { readonly kind: 'call'; readonly call: number; readonly op: string; readonly args: string }
  | { readonly kind: 'answer'; readonly request: number; readonly text?: string; readonly error?: string }

export type FromGuest =
  | { readonly kind: 'send'; readonly call: number; readonly request: number; readonly text: string }
  | { readonly kind: 'done'; readonly call: number; readonly text: string }
  /** `request`: the number of the request that failed. Without `call`, nothing that runs can finish any more. */
  | { readonly kind: 'failed'; readonly call?: number; readonly detail: string; readonly request?: number }
  | { readonly kind: 'turn' }

export interface SandboxData extends SandboxLimits {
  readonly code: string
  readonly port: MessagePort
  /** Counts messages, so that a caller can wait for the next one without its event loop. */
  readonly signal: Int32Array<SharedArrayBuffer>
}

export interface SandboxLimits {
  readonly memoryBytes: number
  /** The limit of QuickJS interrupts for one message; each interrupt is about 10,000 operations. */
  readonly steps: number
  /** The limit of one answer, in characters. */
  readonly textLength: number
  /**
   * The time limit for one message, because the machine does not count steps inside a built-in function of the
   * language.
   */
  readonly turnMs: number
  /** The limit for one read or list: each answer gives the package new steps. */
  readonly mostRequests: number
}

const memoryBytes = 64 * 1024 * 1024
const steps = 20_000
const textLength = 8 * 1024 * 1024
const turnMs = 60_000
const mostRequests = 1_000

export const sandboxLimits: SandboxLimits = { memoryBytes, steps, textLength, turnMs, mostRequests }
