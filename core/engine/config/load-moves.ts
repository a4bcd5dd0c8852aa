import { isArray, isObject, type Json } from '../schema/json.ts'
import type { Address } from '../schema/resource.ts'
import type { Move, PlaceMove } from '../schema/rules.ts'
import { canonicalAddress, isWithin, parseAddress } from '../values/addresses/address.ts'
import { isExchanged, isModuleAddress, nextAddressBy } from '../values/addresses/moves.ts'
import { suggest } from '../values/texts/nearest-word.ts'
import type { LoadedResources } from './load-resources.ts'
import { instead, say } from './shared/words.ts'
import type { Report } from './syntax/parse-document.ts'

interface WrittenMove extends Move {
  readonly index: number
}

/**
 * Loads renamed addresses of resources and modules. Each chain of moves must end at a declared resource, and a declared
 * address may be the source of a move only where several exchange their objects.
 */
export const loadMoves = (
  written: Json | undefined,
  { resources, disabled }: Pick<LoadedResources, 'resources' | 'disabled'>,
  report: Report,
): readonly Move[] => {
  const moves = (isArray(written) ? written : []).flatMap((each, index) => toMove(each, index) ?? [])
  const declared = resources.map(({ address }) => address)
  const isDeclared = new Set(declared)
  const next = new Map<Address, Address>()
  const goals = new Map(moves.map(({ from, to }) => [from, to]))
  for (const move of moves) {
    const { from, to, index } = move
    const first = next.get(from)
    if (from === to) report(['moved', index, 'to'], say('movesToItself', from))
    else if (isModuleAddress(from) !== isModuleAddress(to)) report(['moved', index, 'to'], say('movesAcross', from, to))
    else if (typeIn(from) !== typeIn(to)) report(['moved', index, 'to'], say('movesToType', from, to))
    else if (
      stillDeclared(move, declared, isDeclared) &&
      !isExchanged(
        from,
        (at) => goals.get(at),
        (at) => isDeclared.has(at),
      )
    )
      report(['moved', index, 'from'], say('movesDeclared', from))
    else if (first !== undefined) report(['moved', index, 'from'], say('movesTwice', from, first))
    else next.set(from, to)
  }
  for (const { to, index } of moves) {
    // What is switched off gets the record too, and leaves the configuration under its new address.
    if (isDeclared.has(to) || next.has(to) || disabled.has(to)) continue
    if (isModuleAddress(to) && declared.some((address) => isWithin(address, to))) continue
    report(['moved', index, 'to'], say('noResource', to, suggest(to, isDeclared, instead.moveElsewhere)))
  }
  return moves.map(({ from, to }) => ({ from, to }))
}

/** None of the address of a module. */
const typeIn = (address: Address): string | undefined => parseAddress(address)?.type

/** A move of a module is refused if it covers any declared resource. */
const stillDeclared = (move: Move, all: readonly Address[], isDeclared: ReadonlySet<Address>): boolean => {
  if (!isModuleAddress(move.from)) return isDeclared.has(move.from)
  const next = nextAddressBy([move])
  return all.some((address) => isWithin(address, move.from) && next(address) !== undefined)
}

const toMove = (written: Json, index: number): WrittenMove | undefined => {
  if (!isObject(written)) return undefined
  const { from, to, provider } = written
  if (typeof from !== 'string' || typeof to !== 'string' || provider !== undefined) return undefined
  return { from: canonicalAddress(from), to: canonicalAddress(to), index }
}

/** Loads the former addresses of targets. */
export const loadPlaceMoves = (
  written: Json | undefined,
  aliases: readonly string[],
  report: Report,
): readonly PlaceMove[] =>
  (isArray(written) ? written : []).flatMap((each, index): readonly PlaceMove[] => {
    const { provider, from, to } = isObject(each) ? each : {}
    if (typeof provider !== 'string' || typeof from !== 'string' || typeof to !== 'string') return []
    if (!aliases.includes(provider))
      report(
        ['moved', index, 'provider'],
        say('noProvider', provider, suggest(provider, aliases, instead.moveElsewhere)),
      )
    else if (from === to) report(['moved', index, 'to'], say('movesToItself', from))
    return [{ provider, from, to }]
  })
