import type { Json } from '../schema/json.ts'
import type { ReadDeps } from './provider.ts'

/** A package as it is installed. `code`: its one module. `integrity`: `sha512-<base64>` over the bytes of the module. */
export type FoundPackage =
  | { readonly kind: 'found'; readonly version: string; readonly code: string; readonly integrity: string }
  | { readonly kind: 'missing' }
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

/** Packages of this machine. They are installed by the user, and never by Plumbline. */
export interface Packages {
  isAllowed(name: string): boolean
  find(name: string, folder: string): FoundPackage
  /** `name` is for messages. */
  open(code: string, name: string): Guest
}
