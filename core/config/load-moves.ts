import type { Json } from '../schema/json.ts'
import { isArray, isObject } from '../schema/json.ts'
import type { DesiredResource } from '../schema/resource.ts'
import type { Move } from '../schema/rules.ts'
import { suggest } from '../values/nearest-word.ts'
import type { Problems } from './problems.ts'
import type { ParsedDocument } from './syntax/parse-document.ts'

interface Input {
  /** As written under `moved`. */
  readonly written: Json | undefined
  readonly resources: readonly DesiredResource[]
  readonly document: ParsedDocument
  readonly problems: Problems
}

/** Addresses that were renamed. Each one leads to a declared resource in the end, and nothing declared is left behind. */
export const loadMoves = ({ written, resources, document, problems }: Input): readonly Move[] => {
  const moves = (isArray(written) ? written : []).flatMap((each, index) => toMove(each, index) ?? [])
  const declared = new Set(resources.map(({ address }) => address))
  const next = new Map<string, string>()
  for (const { from, to, index } of moves) {
    const report = (member: string, message: string, fix: string): void =>
      problems.report(document.locate(['moved', index, member]), message, fix)
    if (from === to) report('to', `${from} moves to itself`, 'remove this line')
    else if (declared.has(from)) report('from', `${from} is still declared`, 'remove this line, or the resource')
    else if (next.has(from))
      report('from', `${from} moves a second time, first to ${next.get(from)}`, 'keep one of the two')
    else next.set(from, to)
  }
  for (const { to, index } of moves) {
    if (declared.has(to) || next.has(to)) continue
    const fix = suggest(to, [...declared], 'declare it, or name another one')
    problems.report(document.locate(['moved', index, 'to']), `there is no resource ${to}`, fix)
  }
  return moves.map(({ from, to }) => ({ from, to }))
}

const toMove = (written: Json, index: number): (Move & { readonly index: number }) | undefined => {
  if (!isObject(written)) return undefined
  const { from, to } = written
  return typeof from === 'string' && typeof to === 'string' ? { from, to, index } : undefined
}
