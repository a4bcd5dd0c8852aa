import type { Command, CommandDraft, Precondition } from '../schema/command.ts'
import type { Address } from '../schema/resource.ts'

/**
 * The commands of one resource, in their order: ids `<address>#<n>` from 1, each waiting for the one before. The first
 * waits for `dependsOn`, ids of other resources' commands, and carries the precondition, unless it brings its own.
 */
export const numberCommands = (
  address: Address,
  drafts: readonly CommandDraft[],
  context: { readonly dependsOn: readonly string[]; readonly precondition?: Precondition },
): readonly Command[] =>
  drafts.map((draft, index) => {
    const precondition = draft.precondition ?? (index === 0 ? context.precondition : undefined)
    return {
      ...draft,
      id: `${address}#${index + 1}`,
      address,
      dependsOn: index === 0 ? context.dependsOn : [`${address}#${index}`],
      ...(precondition === undefined ? {} : { precondition }),
    }
  })

/** What has to be still true right before the first write of a resource. */
export const preconditionOf = (observedDigest: string | null): Precondition =>
  observedDigest === null ? { kind: 'absent' } : { kind: 'reread', digest: observedDigest }
