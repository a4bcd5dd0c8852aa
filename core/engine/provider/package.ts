import type { Json } from '../schema/json.ts'
import type { ReadDeps } from './provider.ts'

/**
 * `code`: its only module. `integrity`: `sha512-<base64>` over the bytes of the module. `otherVersion`: only these
 * versions are here.
 */
export type FoundPackage =
  | { readonly kind: 'found'; readonly code: string; readonly integrity: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'otherVersion'; readonly versions: readonly string[] }
  | { readonly kind: 'unusable'; readonly detail: string }

/**
 * A module in its sandbox: it has no files, no network, no environment and no clock. Values go in and out as JSON text.
 */
export interface Guest {
  /** Throws PROVIDER_PACKAGE_FAILED if the function threw, took too long, or used too much memory. */
  call(op: string, args: readonly Json[]): Json
  /** Like `call`, for a function that sends requests. Also rejects with the errors of the transport. */
  ask(op: string, args: readonly Json[], deps: ReadDeps): Promise<Json>
  /** `false`: the module has ended, and every call fails. */
  isOpen(): boolean
  close(): void
}

interface PackageOrigin {
  readonly name: string
  readonly version: string
  /** Absolute folder of the workspace; absent for a workspace that exists only in the store. */
  readonly folder?: string | undefined
}

/** Packages that may run here. Plumbline never installs a package. */
export interface Packages {
  /** `installed`: by the user, beside the workspace. `bundled`: by the deployment, with the functions. */
  readonly origin: 'installed' | 'bundled'
  /**
   * Maximum open threads. Beyond it, the least recently used thread is closed, and resources that still use it are
   * unchecked.
   */
  readonly mostOpened: number
  isAllowed(name: string): boolean
  find(wanted: PackageOrigin): FoundPackage
  /** `name` is for messages. */
  open(code: string, name: string): Guest
}
