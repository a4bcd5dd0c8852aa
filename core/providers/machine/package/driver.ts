import type { Request } from '../../../schema/command.ts'
import type { Diagnostic } from '../../../schema/issue.ts'
import type { Json } from '../../../schema/json.ts'
import type { UnknownResult } from '../../../schema/resource.ts'
import type { ReadDeps } from '../../provider.ts'
import type { Machine } from '../scope.ts'

/** What is installed, as one driver lists it. `isMissing`: the driver's program is not there. */
export type Installed =
  | {
      readonly kind: 'installed'
      /** Version by name. */
      readonly versions: ReadonlyMap<string, string>
      /** Names of packages that are in no clear state, with that state. */
      readonly unclear?: ReadonlyMap<string, string>
    }
  | (UnknownResult & { readonly isMissing?: true })

interface Wanted {
  readonly name: string
  readonly version?: Json
  readonly from?: Json
}

/** One way to install packages. A new one is a file like ./pip.ts, its line in ./package.ts and its reads in the table of programs. */
export interface Driver {
  readonly name: string
  readonly namePattern: RegExp
  /** What is wrong with a source. */
  refuseFrom(from: string): Diagnostic | undefined
  installed(machine: Machine, deps: ReadDeps): Promise<Installed>
  /** Names that somebody asked for, and not because another package needs them. Absent: all that are installed. */
  chosen?(machine: Machine, deps: ReadDeps): Promise<readonly string[] | UnknownResult>
  /** Why it cannot work with these settings. */
  lacks?(machine: Machine): string | undefined
  install(machine: Machine, wanted: Wanted): Request
  remove(machine: Machine, name: string): Request
}

/** `name=version` in the driver's spelling; a value that is known later stays a mark. */
export const withVersion = (name: string, sign: string, version: Json | undefined): Json => {
  if (version === undefined || version === null) return name
  return typeof version === 'string' ? `${name}${sign}${version}` : { $concat: [`${name}${sign}`, version] }
}
