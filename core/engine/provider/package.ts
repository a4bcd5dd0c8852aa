import type { Json } from '../schema/json.ts'
import type { ReadDeps } from './provider.ts'

/** `code`: its one module. `integrity`: `sha512-<base64>` over the bytes of the module. `otherVersion`: only these are here. */
export type FoundPackage =
  | { readonly kind: 'found'; readonly code: string; readonly integrity: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'otherVersion'; readonly versions: readonly string[] }
  | { readonly kind: 'unusable'; readonly detail: string }

/** A module in its sandbox: no files, no network, no environment, no clock. Values go in and out as JSON text. */
export interface Guest {
  /** Throws PROVIDER_PACKAGE_FAILED: it threw, took too long, or took too much memory. */
  call(op: string, args: readonly Json[]): Json
  /** The same for a function that sends requests. Rejects with the errors of the transport too. */
  ask(op: string, args: readonly Json[], deps: ReadDeps): Promise<Json>
  /** False: it has ended, and every call fails. */
  isOpen(): boolean
  close(): void
}

/** Where a package is wanted from. */
interface PackageOrigin {
  readonly name: string
  readonly version: string
  /** Of the workspace, absolute; absent for one that lives in the store only. */
  readonly folder?: string | undefined
}

/** Packages that may run here. Plumbline never installs one. */
export interface Packages {
  /** `installed`: by the user, beside the workspace. `bundled`: with the functions, by the deployment. */
  readonly origin: 'installed' | 'bundled'
  /** Threads at once; the one that was not used for the longest time is closed, and resources that still use it are unchecked. */
  readonly mostOpened: number
  isAllowed(name: string): boolean
  find(wanted: PackageOrigin): FoundPackage
  /** `name` is for messages. */
  open(code: string, name: string): Guest
}
