import type { Command, CommandDraft, Precondition, SeenObject } from '../../schema/command.ts'
import type { Address } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'

interface CommandFacts {
  /** `null`: the object did not exist. */
  readonly seen: SeenObject | null
  readonly archived?: SeenObject | undefined
  /** The apply that sent a create of this object before, with an unknown result. */
  readonly sentBy?: string | undefined
  /** Ids of the objects that contain this one. */
  readonly inside?: Readonly<Record<string, string>> | undefined
}

/**
 * The commands of one resource, in order: the ids are `<address>#<n>` from 1, and each command depends on the previous
 * one. The precondition of each is what was observed, with the effects of the earlier commands. A delete names the
 * identity that it destroys.
 */
export const numberCommands = (
  address: Address,
  drafts: readonly CommandDraft[],
  found: CommandFacts,
): readonly Command[] =>
  drafts.map(({ last: _, ...draft }, index) => ({
    ...draft,
    id: `${address}#${index + 1}`,
    address,
    dependsOn: index === 0 ? [] : [`${address}#${index}`],
    precondition: preconditionOf(draft, drafts.slice(0, index), found),
  }))

const preconditionOf = (
  { precondition, action }: CommandDraft,
  before: readonly CommandDraft[],
  { seen, archived, sentBy, inside }: CommandFacts,
): Precondition => {
  const isGone = seen === null || before.some((each) => each.action === 'delete')
  if (precondition?.kind === 'made') return precondition
  if (precondition?.kind === 'absent') return { ...precondition, ...defined({ sentBy, inside }) }
  if (action === 'create' && isGone) return { kind: 'absent', ...defined({ archived, sentBy, inside }) }
  if (isGone) return before.length === 0 ? { kind: 'absent', ...defined({ inside }) } : { kind: 'made' }
  const { digest, identity } = seen
  const own = precondition ?? { kind: before.length === 0 ? 'reread' : 'chained' }
  return { ...own, digest, ...defined({ identity: action === 'delete' ? identity : undefined, inside }) }
}
