import type { AnchorDeps } from './keep-anchors.ts'

/** Like the function that it loads when the deployment keeps anchors: most do not, and start with less. */
export const anchorLedger = async (input: { readonly workspace: string }, deps: AnchorDeps): Promise<boolean> =>
  deps.anchors !== undefined && (await import('./keep-anchors.ts')).anchorLedger(input, deps)

/** As `anchorLedger` here. */
export const keepAnchors = async (deps: AnchorDeps, options: { readonly until?: Date } = {}): Promise<number> =>
  deps.anchors === undefined ? 0 : (await import('./keep-anchors.ts')).keepAnchors(deps, options)
