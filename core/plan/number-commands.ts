import type { Command, CommandDraft, Precondition, SeenIdentity } from '../schema/command.ts'
import type { Address } from '../schema/resource.ts'

/** The object as the plan saw it: its digest, and what identifies it. `null`: there was none. */
export interface SeenObject {
  readonly digest: string
  readonly identity: SeenIdentity
}

/**
 * The commands of one resource, in their order: ids `<address>#<n>` from 1, each waiting for the one before. The first
 * waits for `dependsOn`, ids of other resources' commands. Each has a precondition: what was seen, with what the commands
 * before it do; a delete says whose identity it destroys.
 */
export const numberCommands = (
  address: Address,
  drafts: readonly CommandDraft[],
  { dependsOn, seen }: { readonly dependsOn: readonly string[]; readonly seen: SeenObject | null },
): readonly Command[] =>
  drafts.map((draft, index) => ({
    ...draft,
    id: `${address}#${index + 1}`,
    address,
    dependsOn: index === 0 ? dependsOn : [`${address}#${index}`],
    precondition: preconditionOf(draft, drafts.slice(0, index), seen),
  }))

const preconditionOf = (
  { precondition, action }: CommandDraft,
  before: readonly CommandDraft[],
  seen: SeenObject | null,
): Precondition => {
  const isGone = seen === null || before.some((each) => each.action === 'delete')
  if (precondition?.kind === 'made' || precondition?.kind === 'absent') return precondition
  if (action === 'create' && isGone) return { kind: 'absent' }
  if (isGone) return { kind: before.length === 0 ? 'absent' : 'made' }
  const { digest, identity } = seen
  const own = precondition ?? { kind: before.length === 0 ? 'reread' : 'chained' }
  return { ...own, digest, ...(action === 'delete' ? { identity } : {}) }
}
