import type { Json } from '../schema/json.ts'
import { isArray, isObject } from '../schema/json.ts'
import type { DesiredResource } from '../schema/resource.ts'
import type { Move } from '../schema/rules.ts'
import { suggest } from '../values/texts/nearest-word.ts'
import type { Report } from './syntax/parse-document.ts'
import { instead, say } from './words.ts'

/** Addresses that were renamed. Each one leads to a declared resource in the end, and nothing declared is left behind. */
export const loadMoves = (
  written: Json | undefined,
  resources: readonly DesiredResource[],
  report: Report,
): readonly Move[] => {
  const moves = (isArray(written) ? written : []).flatMap((each, index) => toMove(each, index) ?? [])
  const declared = new Set(resources.map(({ address }) => address))
  const next = new Map<string, string>()
  for (const { from, to, index } of moves) {
    const first = next.get(from)
    if (from === to) report(['moved', index, 'to'], say('movesToItself', from))
    else if (declared.has(from)) report(['moved', index, 'from'], say('movesDeclared', from))
    else if (first !== undefined) report(['moved', index, 'from'], say('movesTwice', from, first))
    else next.set(from, to)
  }
  for (const { to, index } of moves) {
    if (declared.has(to) || next.has(to)) continue
    report(['moved', index, 'to'], say('noResource', to, suggest(to, declared, instead.moveElsewhere)))
  }
  return moves.map(({ from, to }) => ({ from, to }))
}

const toMove = (written: Json, index: number): (Move & { readonly index: number }) | undefined => {
  if (!isObject(written)) return undefined
  const { from, to } = written
  return typeof from === 'string' && typeof to === 'string' ? { from, to, index } : undefined
}
