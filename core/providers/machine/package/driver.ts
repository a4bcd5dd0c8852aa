import type { ReadDeps } from '../../../engine/provider/provider.ts'
import type { Request } from '../../../engine/schema/command.ts'
import type { Diagnostic } from '../../../engine/schema/issue.ts'
import type { Json } from '../../../engine/schema/json.ts'
import type { AbsentResult, UnknownResult } from '../../../engine/schema/resource.ts'
import type { MachineScope } from '../shared/scope.ts'

/** `isMissing`: the program of the driver does not exist on this machine. */
export type Unread = UnknownResult & { readonly isMissing?: true }

export type Installed = { readonly kind: 'installed'; readonly version: string } | AbsentResult | Unread

type PackageNames = { readonly kind: 'names'; readonly names: readonly string[] } | Unread

interface DesiredPackage {
  readonly name: string
  readonly version?: Json
  readonly from?: Json
}

/** One way to install packages. A new driver is a file like ./pip.ts, its line in ./package.ts, and its reads in the table of programs. */
export interface Driver {
  readonly name: string
  readonly namePattern: RegExp
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

/** `name=version` in the spelling of the driver; a value that is known later stays a mark. */
export const withVersion = (name: string, sign: string, version: Json | undefined): Json => {
  if (version === undefined || version === null) return name
  return typeof version === 'string' ? `${name}${sign}${version}` : { $concat: [`${name}${sign}`, version] }
}
