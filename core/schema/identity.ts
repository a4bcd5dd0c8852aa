/**
 * What server-made ids say of an object. `stable`: never given to another one. `reused`: another one may get them once it
 * is gone. `position`: its place among the others, which moves as they come and go.
 */
type IdKind = 'stable' | 'reused' | 'position'

/** How the objects of a type are told apart. */
export interface IdentityRules {
  /** Absent: by their keys alone. */
  readonly ids?: IdKind
  /** Objects can be asked for by ids; otherwise answers only show them. */
  readonly readable: boolean
  /** Ids that the answer to a create tells, and that a read need not repeat. */
  readonly told?: readonly string[]
}
