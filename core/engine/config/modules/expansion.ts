import type { Issue } from '../../schema/issue.ts'
import type { JsonObject, Path } from '../../schema/json.ts'
import type { Address, ModuleCall, Position } from '../../schema/resource.ts'
import type { NamedFiles } from '../files/named-files.ts'
import type { Declared, Frame, InstanceKeys, ModuleInstance } from '../references/frame.ts'
import type { Scope } from '../references/resolution.ts'
import type { Resolver } from '../references/resolve-values.ts'
import type { definitionsIn } from './definition.ts'
import type { ResourceDraft } from './draft.ts'
import type { FindSource, ForeignFacts } from './foreign.ts'
import { say } from './words.ts'

/** Resources and instances of modules together. More would need more memory than a function has. */
const maxInstances = 250_000

/** The sort key of a DynamoDB item has 1,024 bytes; a prefix and the keys of blobs need some of them. */
export const maxAddressBytes = 900

/** A file that declares resources and modules. */
export interface ConfigurationPart {
  readonly frame: Frame
  readonly written: JsonObject
}

/** All resources of a configuration, one for each instance, and what references can name. */
export interface Expanded {
  readonly drafts: readonly ResourceDraft[]
  readonly declared: Omit<Declared, 'resources'> & { readonly resources: ReadonlyMap<Address, ResourceDraft> }
  /** What modules in the format of other products say besides their resources. */
  readonly facts: readonly ForeignFacts[]
}

/** Changes a resource before anything refers to it. */
export type Rename = (draft: ResourceDraft) => ResourceDraft

export interface ExpandInput {
  readonly scope: Scope
  readonly files: NamedFiles
  readonly issues: Issue[]
  readonly rename: Rename
  readonly findSource: FindSource
}

export interface Expansion {
  readonly define: ReturnType<typeof definitionsIn>
  readonly resolver: Resolver
  readonly issues: Issue[]
  readonly rename: Rename
  readonly findSource: FindSource
  readonly files: NamedFiles
  readonly facts: ForeignFacts[]
  readonly drafts: ResourceDraft[]
  readonly resources: Map<Address, ResourceDraft>
  readonly resourceGroups: Map<string, InstanceKeys & { readonly position: Position }>
  readonly modules: Map<string, ModuleInstance>
  readonly moduleGroups: Map<string, InstanceKeys>
  /** Resources and instances of modules so far. */
  count: number
}

/** Where an expansion is. */
export interface Level {
  readonly frame: Frame
  readonly calls: readonly ModuleCall[]
  /** Files of the modules around it. */
  readonly files: readonly string[]
}

/** Whether another instance may be added; the first one too many is a problem. */
export const mayGrow = (expansion: Expansion, { report }: Frame, path: Path): boolean => {
  expansion.count += 1
  if (expansion.count === maxInstances + 1) report(path, say('tooMany', maxInstances))
  return expansion.count <= maxInstances
}

export const isTooLong = (address: string): boolean =>
  address.length > maxAddressBytes / 4 && bytesOf(address) > maxAddressBytes

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength
