import { blocks, managedToo } from '../../../plan/words.ts'
import type { Note } from '../../../schema/issue.ts'
import type { Address } from '../../../schema/resource.ts'
import type { Change } from '../../../schema/stored/plan.ts'
import type { BoundResource } from './observation.ts'

/** By the address of a resource: the workspace that manages its object too, and the address there. */
export type ManagedElsewhere = ReadonlyMap<Address, { readonly workspace: string; readonly address: Address }>

/** What another workspace manages too is not destroyed by this one. */
export const keepManaged = (changes: readonly Change[], elsewhere: ManagedElsewhere): readonly Change[] =>
  changes.map((change) => {
    const other = elsewhere.get(change.address)
    const isLost = change.action === 'delete' || change.action === 'replace'
    if (other === undefined || !isLost || change.blocked !== undefined) return change
    const detail = change.reason === 'delete_because_absent' ? blocks.managedThere : blocks.managedBy
    return { ...change, blocked: { reason: 'held', detail: detail(other.workspace, other.address) } }
  })

/** Both workspaces are told, each at what it declares. */
export const notesOn = (elsewhere: ManagedElsewhere, resources: ReadonlyMap<Address, BoundResource>): readonly Note[] =>
  [...elsewhere].flatMap(([address, other]): Note[] => {
    const { position, absent } = resources.get(address)?.desired ?? {}
    // What is declared absent is a blocked change, which says it.
    return position === undefined || absent === true
      ? []
      : [{ level: 'warning', ...position, ...managedToo(address, other.workspace, other.address), value: address }]
  })
