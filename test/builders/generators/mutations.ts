export type Tree = null | boolean | number | string | readonly Tree[] | { readonly [member: string]: Tree }

const isTree = (tree: Tree): tree is readonly Tree[] | { readonly [member: string]: Tree } =>
  typeof tree === 'object' && tree !== null

/** How many places a tree has. */
export const sizeOf = (tree: Tree): number =>
  1 + (isTree(tree) ? Object.values(tree).reduce((sum: number, child) => sum + sizeOf(child), 0) : 0)

const mapTree = (tree: Tree, change: (child: Tree) => Tree): Tree => {
  if (!isTree(tree)) return tree
  if (Array.isArray(tree)) return tree.map(change)
  return Object.fromEntries(Object.entries(tree).map(([key, child]) => [key, change(child)]))
}

/** The tree with another value at its n-th place. */
export const replaceAt = (tree: Tree, place: number, other: Tree): Tree => {
  let left = place
  const walk = (inner: Tree): Tree => {
    left -= 1
    return left === -1 ? other : mapTree(inner, walk)
  }
  return walk(tree)
}

/** The tree with all its members the other way round. */
export const shuffleKeys = (tree: Tree): Tree => {
  const inner = mapTree(tree, shuffleKeys)
  return isTree(inner) && !Array.isArray(inner) ? Object.fromEntries(Object.entries(inner).toReversed()) : inner
}
