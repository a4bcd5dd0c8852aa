/* What a page of OpenTofu or Terraform shows, as plain JSON, without any symbol, colour or sentence. */

import type { Invocation } from '../read/read-invocations.ts'
import type { ImportHead, ResourceHead, StateHead } from '../read/read-resource.ts'
import type { TofuAction, TofuMode, UnreadEntry } from '../read/shapes.ts'

/** Whose page it is. OpenTofu without a version is 1.12. */
export const tofuCompats = ['opentofu', 'opentofu@1.12', 'opentofu@1.13', 'terraform'] as const
export type TofuCompat = (typeof tofuCompats)[number]

/** A number is its text in the plan: nothing is rounded. */
export type TofuScalar = null | boolean | string | { readonly number: string }

interface Every {
  readonly action: TofuAction
  /** A replace path ends here. */
  readonly replace: boolean
}

export type TofuNode = Every & TofuPart

export type TofuMembers = readonly (readonly [key: string, node: TofuNode])[]

export interface TofuLine {
  readonly action: 'no-op' | 'create' | 'delete'
  readonly text: string
}

/** `nested` stands for an attribute of attributes (`nested_type`) instead of a value of a type. */
export type TofuPart =
  | { readonly kind: 'scalar'; readonly before: TofuScalar; readonly after: TofuScalar }
  | { readonly kind: 'lines'; readonly lines: readonly TofuLine[] }
  /** Text that holds JSON. `spaceOnly`: the text changed and what it holds did not. */
  | { readonly kind: 'json'; readonly inner: TofuNode; readonly spaceOnly: boolean }
  | { readonly kind: 'type-change'; readonly before: TofuNode; readonly after: TofuNode }
  | { readonly kind: 'object'; readonly nested: boolean; readonly members: TofuMembers }
  | { readonly kind: 'map'; readonly nested: boolean; readonly members: TofuMembers }
  | { readonly kind: 'list' | 'set'; readonly nested: boolean; readonly elements: readonly TofuNode[] }
  | { readonly kind: 'unknown'; readonly before?: TofuNode }
  /** The value itself is not stored here. */
  | ({ readonly kind: HiddenKind } & Sensitivity)
  | { readonly kind: 'write-only'; readonly sensitive: boolean }
  | { readonly kind: 'block'; readonly attributes: TofuMembers; readonly groups: readonly TofuBlockGroup[] }

export type HiddenKind = 'sensitive' | 'sensitive-block'

interface Sensitivity {
  /** Of what is hidden. */
  readonly innerAction: TofuAction
  readonly beforeSensitive: boolean
  readonly afterSensitive: boolean
}

/** All blocks of one name. Sensitivity and replacement are those of the group as a whole. */
export interface TofuBlockGroup {
  readonly name: string
  readonly blocks: readonly TofuBlock[]
  readonly replace: boolean
  readonly beforeSensitive: boolean
  readonly afterSensitive: boolean
}

export interface TofuBlock {
  /** Of a group that is a map. */
  readonly label?: string
  readonly node: TofuNode
}

export interface TofuResource extends Omit<ResourceHead, 'provider' | 'change' | 'importing'> {
  readonly importing?: TofuImport
  readonly node: TofuNode
}

interface TofuImport extends Omit<ImportHead, 'identity'> {
  /** As JSON text, indented by two. */
  readonly identity?: string
}

export interface TofuPlanReport {
  readonly kind: 'plan'
  readonly mode: TofuMode
  readonly errored: boolean
  /** Written by a later minor version of the format. */
  readonly newer: boolean
  readonly drift: readonly TofuResource[]
  readonly changes: readonly TofuResource[]
  readonly outputs: TofuMembers
  /** Terraform only: changes that are put off, and actions of providers. */
  readonly deferred: readonly TofuDeferred[]
  readonly invocations: readonly TofuInvocation[]
  readonly unread: readonly UnreadEntry[]
}

export interface TofuDeferred {
  /** An open set. */
  readonly reason: string
  readonly resource: TofuResource
}

export interface TofuInvocation extends Invocation {
  /** The configuration of the action, as a block of values that do not change. */
  readonly config?: TofuNode
}

export interface TofuStateReport {
  readonly kind: 'state'
  readonly newer: boolean
  readonly empty: boolean
  readonly root: TofuStateModule
  readonly outputs: TofuMembers
  readonly unread: readonly UnreadEntry[]
}

export interface TofuStateModule {
  readonly resources: readonly TofuStateResource[]
  readonly children: readonly TofuStateModule[]
}

export interface TofuStateResource extends Omit<StateHead, 'provider' | 'values' | 'sensitive'> {
  readonly node: TofuNode
}

export type TofuReport = TofuPlanReport | TofuStateReport
