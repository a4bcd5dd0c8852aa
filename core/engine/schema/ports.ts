import type { Response } from './command.ts'
import type { Diagnostic } from './issue.ts'
import type { JsonObject } from './json.ts'

/** The time comes from a port, so that runs can be replayed. */
export interface Clock {
  now(): Date
  /**
   * Milliseconds since a fixed moment of this process. The clock is never set and never runs backwards, so a difference
   * is elapsed time.
   */
  monotonic(): number
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** Calls `ring` once, after about this many milliseconds and perhaps earlier; the returned function cancels it. */
  after(milliseconds: number, ring: () => void): () => void
}

/** New ids: ULIDs (sortable by time, 26 characters) for runs, applies, alerts; UUIDs for lineages. */
export interface Ids {
  ulid(): string
  uuid(): string
  /** At least 0 and less than 1, for jitter. */
  random(): number
}

/**
 * Signs claims with a private key in PEM (PKCS#8, or PKCS#1 of RSA), and returns the compact form. `undefined`: the
 * text is not a private key for this algorithm.
 */
export type SignJwt = (
  header: { readonly alg: string; readonly kid?: string },
  claims: JsonObject,
  key: string,
) => Promise<string | undefined>

/**
 * Puts a text into an anonymous sealed box of libsodium: https://doc.libsodium.org/public-key_cryptography/sealed_boxes
 * `undefined`: the bytes are not a public key of X25519. Every box has its own key pair, from the randomness of the
 * machine.
 */
export type BoxSealer = (text: string, publicKey: Uint8Array) => Promise<Uint8Array | undefined>

/** Keyed digest of a value that must not be stored: `hmac-sha256:<name of the key>:<hex>` over its canonical JSON. */
export type Seal = (value: unknown) => string

/**
 * Authenticated encryption with a key of this deployment, for what must be stored and may hold secrets. `context` names what
 * it is and where it belongs; text of another context or key cannot be opened.
 */
export interface Cipher {
  seal(bytes: Uint8Array, context: string): Uint8Array
  /** `undefined`: the bytes were not sealed here under this context. */
  open(bytes: Uint8Array, context: string): Uint8Array | undefined
}

/** The texts that a configuration can name, by path from its folder. Reading one makes it a part of the workspace. */
export interface WorkspaceFiles {
  get(path: string): string | undefined
  /** The reason why `get` has no text for a path. */
  refusal(path: string): Diagnostic
}

export interface KeptAnswer {
  readonly etag: string
  readonly response: Response
}

/** Answers of earlier runs, by the digest of everything that they depend on. They may be lost at any time. */
export interface KeptAnswers {
  find(key: string): Promise<KeptAnswer | undefined>
  keep(key: string, answer: KeptAnswer): Promise<void>
}
