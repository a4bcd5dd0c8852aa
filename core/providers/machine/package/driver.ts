import type { ReadDeps } from '../../../engine/provider/provider.ts'
import type { Request } from '../../../engine/schema/command.ts'
import type { Diagnostic } from '../../../engine/schema/issue.ts'
import type { AbsentResult, UnknownResult } from '../../../engine/schema/resource.ts'
import { hasCredentials, isPlainPath, isPlainUrl } from '../shared/argument.ts'
import type { MachineScope } from '../shared/scope.ts'
import { refusals } from '../shared/words.ts'

/** `isMissing`: the program of the driver does not exist on this machine. */
export type Unread = UnknownResult & { readonly isMissing?: true }

export type Installed = { readonly kind: 'installed'; readonly version: string } | AbsentResult | Unread

type PackageNames = { readonly kind: 'names'; readonly names: readonly string[] } | Unread

interface DesiredPackage {
  readonly name: string
  readonly version?: string
  readonly from?: string
}

/** One way to install packages. A new driver is a file like ./pip.ts, its line in ./package.ts, and its reads in the table of programs. */
export interface Driver {
  readonly name: string
  /** The forms of a name and of an exact version. What fits them is checked by `isPlainName` too. */
  readonly forms: { readonly name: RegExp; readonly version: RegExp }
  /** The one spelling of a name that may be written in several. */
  nameOf?(name: string): string
  /** What is wrong with a source. */
  refuseFrom(from: string): Diagnostic | undefined
  /** Why it cannot be used with these settings. */
  lacks?(machine: MachineScope): string | undefined
  find(machine: MachineScope, name: string, deps: ReadDeps): Promise<Installed>
  /** Installed packages that a user asked for. */
  list(machine: MachineScope, deps: ReadDeps): Promise<PackageNames>
  install(machine: MachineScope, desired: DesiredPackage): Request
  remove(machine: MachineScope, name: string): Request
}

/** `name=version` in the spelling of the driver. */
export const withVersion = (name: string, sign: string, version: string | undefined): string =>
  version === undefined ? name : `${name}${sign}${version}`

/** For drivers that install from a path or from a URL. */
export const refuseSource = (from: string): Diagnostic | undefined => {
  if (isPlainPath(from)) return undefined
  if (!isPlainUrl(from)) return refusals.from()
  return hasCredentials(from) ? refusals.fromCredentials() : undefined
}
