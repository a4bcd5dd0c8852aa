import type { MessagePort } from 'node:worker_threads'

/** Between the sandbox's thread and the one that uses it. Values are JSON texts. */
export type ToGuest =
  | { readonly kind: 'call'; readonly call: number; readonly op: string; readonly args: string }
  /** Of a request: the response, or why there is none. */
  | { readonly kind: 'answer'; readonly request: number; readonly text?: string; readonly error?: string }

export type FromGuest =
  | { readonly kind: 'send'; readonly call: number; readonly request: number; readonly text: string }
  | { readonly kind: 'done'; readonly call: number; readonly text: string }
  /** `request`: it is the failure of that request. Without a call: nothing that runs can end any more. */
  | { readonly kind: 'failed'; readonly call?: number; readonly detail: string; readonly request?: number }
  /** One message was worked off. */
  | { readonly kind: 'turn' }

export interface SandboxData extends SandboxLimits {
  readonly code: string
  readonly port: MessagePort
  /** Counts messages, so that a caller can wait for one without its event loop. */
  readonly signal: Int32Array<SharedArrayBuffer>
}

export interface SandboxLimits {
  /** Of the machine. */
  readonly memoryBytes: number
  /** Interrupts of QuickJS, about 10,000 operations each, for one message. */
  readonly steps: number
  /** Of one answer, in characters. */
  readonly textLength: number
  /** For one message, where the machine does not count its steps: inside a function of the language itself. */
  readonly turnMs: number
}

export const sandboxLimits: SandboxLimits = {
  memoryBytes: 64 * 1024 * 1024,
  steps: 20_000,
  textLength: 8 * 1024 * 1024,
  turnMs: 60_000,
}
