import type { Block } from './report.ts'

/**
 * Blocks that are the same to the last character, apart from address, module, id and place, become one that lists the others:
 * the same tag on two hundred resources is read once. The first of them stays where it is.
 */
export const foldAlike = (blocks: readonly Block[]): readonly Block[] =>
  [...Map.groupBy(blocks, likeness).values()].flatMap((alike) => {
    const [first, ...others] = alike
    if (first === undefined) return []
    if (others.length === 0) return [first]
    const { place: _, id: __, ...shared } = first
    return [{ ...shared, also: others.map((block) => block.address) }]
  })

const likeness = ({ address: _, module: __, place: ___, id: ____, ...shown }: Block): string => JSON.stringify(shown)
