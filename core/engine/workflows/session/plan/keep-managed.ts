import { blocks, managedToo } from '../../../plan/words.ts'
import type { Note } from '../../../schema/issue.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import type { BoundResource } from './observation.ts'

export interface OtherManager {
  readonly workspace: string
  readonly address: Address
  /** It is not the object itself, but one that is in it. */
  readonly isInside?: true
  /** Only what it is called, and where, says that it is the same object. */
  readonly isLikely?: true
}

/** By the address of a resource: the workspace that manages its object too, or something in it, and the address there. */
export type ManagedElsewhere = ReadonlyMap<Address, OtherManager>

/** What another workspace manages too is not destroyed by this one. */
export const keepManaged = (changes: readonly Change[], elsewhere: ManagedElsewhere): readonly Change[] =>
  changes.map((change) => {
    const other = elsewhere.get(change.address)
    const isLost = change.action === 'delete' || change.action === 'replace'
    if (other === undefined || !isLost || change.blocked !== undefined) return change
    return { ...change, blocked: { reason: 'held', detail: wordsFor(change, other)(other.workspace, other.address) } }
  })

const wordsFor = ({ reason }: Change, { isInside, isLikely }: OtherManager) =>
  isInside
    ? blocks.holdsOthers
    : isLikely
      ? blocks.perhapsManaged
      : reason === 'delete_because_absent'
        ? blocks.managedThere
        : blocks.managedBy

/** Both workspaces are told, each at what it declares. */
export const notesOn = (elsewhere: ManagedElsewhere, resources: ReadonlyMap<Address, BoundResource>): readonly Note[] =>
  [...elsewhere].flatMap(([address, other]): Note[] => {
    const { position, absent } = resources.get(address)?.desired ?? {}
    // What is declared absent is a blocked change, which says it.
    return position === undefined || absent === true || other.isInside
      ? []
      : [
          {
            level: 'warning',
            ...position,
            ...managedToo(address, other.workspace, other.address, other.isLikely),
            value: address,
          },
        ]
  })
