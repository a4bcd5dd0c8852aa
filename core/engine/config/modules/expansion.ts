import type { Issue } from '../../schema/issue.ts'
import { isArray, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import type { Address, ModuleCall, Position } from '../../schema/resource.ts'
import type { NamedFiles } from '../files/named-files.ts'
import type { Declared, Frame, InstanceKeys, ModuleInstance } from '../references/frame.ts'
import type { Scope } from '../references/resolution.ts'
import type { Resolver } from '../references/resolve-values.ts'
import type { definitionsIn } from './definition.ts'
import type { ResourceDraft } from './draft.ts'
import type { FindSource, ForeignFacts } from './foreign.ts'
import { say } from './words.ts'

/** Resources and instances of modules together. More need more memory than a function has. */
export const maxInstances = 250_000

export interface ConfigurationPart {
  readonly frame: Frame
  readonly written: JsonObject
}

export interface Expanded {
  readonly drafts: readonly ResourceDraft[]
  readonly declared: Omit<Declared, 'resources'> & { readonly resources: ReadonlyMap<Address, ResourceDraft> }
  readonly facts: readonly ForeignFacts[]
}

/** Called before anything refers to the resource. */
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
  readonly disabled: Set<string>
  count: number
}

export interface Level {
  readonly frame: Frame
  readonly calls: readonly ModuleCall[]
  readonly files: readonly string[]
}

export const listIn = (written: JsonObject, key: string): readonly Json[] => {
  const list = written[key]
  return isArray(list) ? list : []
}

/** False if the limit is reached; the first instance beyond it is reported. */
export const mayGrow = (expansion: Expansion, { report }: Frame, path: Path): boolean => {
  expansion.count += 1
  if (expansion.count === maxInstances + 1) report(path, say('tooMany', maxInstances))
  return expansion.count <= maxInstances
}
