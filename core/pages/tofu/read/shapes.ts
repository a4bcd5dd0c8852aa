/** How a plan was made, which the plan does not state. */
export type TofuMode = 'normal' | 'refresh-only' | 'destroy'

export type TofuAction = 'no-op' | 'create' | 'update' | 'delete'

/** Of a resource; `unknown` for a list of actions that is none of these. */
export type TofuResourceAction =
  | TofuAction
  | 'read'
  | 'forget'
  | 'delete-create'
  | 'create-delete'
  | 'forget-create'
  | 'create-forget'
  | 'unknown'

/** An entry that cannot be shown as its stated kind; all others are shown. */
export interface UnreadEntry {
  readonly address: string
  readonly detail: string
}
