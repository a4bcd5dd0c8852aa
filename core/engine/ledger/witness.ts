import { canonicalJson } from '../json/canonical.ts'
import { type Apply, hasEnded, type LedgerEntry } from '../schema/stored/records.ts'
import { recordFlaws } from './words.ts'

interface WitnessedApply {
  readonly seq: number
  readonly approval: string
  readonly outcomes: Set<string>
  /** The results in the last end of the apply. */
  results?: LedgerEntry['results']
  ended: boolean
}

/** Who approved what, and why. The record of an apply and each of its entries have the same text. */
const approvalOf = ({ mode, digest, actor, reason }: Apply | LedgerEntry): string =>
  canonicalJson({ mode, digest, actor, reason })

/** In mode `check` the entry of a command is also its outcome. */
const outcomeOf = ({ kind, command, outcome }: LedgerEntry): string | undefined => {
  if (outcome !== undefined) return canonicalJson(outcome)
  return kind === 'logged' ? canonicalJson({ command: command?.['id'], status: 'logged' }) : undefined
}

/** Results that are not known yet are absent. */
const isEqualCount = (recorded: Apply['results'], witnessed: Apply['results']): boolean =>
  recorded === witnessed ||
  (recorded !== undefined && witnessed !== undefined && canonicalJson(recorded) === canonicalJson(witnessed))

/**
 * Each record must follow from entries: an entry is written before its record, and no record exists without entries.
 */
export const createWitness = () => {
  const witnessed = new Map<string, WitnessedApply>()
  return {
    note: (entry: LedgerEntry): void => {
      const { applyId } = entry
      if (applyId === undefined) return
      const known = witnessed.get(applyId)
      const one = known ?? { seq: entry.seq, approval: approvalOf(entry), outcomes: new Set(), ended: false }
      const outcome = outcomeOf(entry)
      if (outcome !== undefined) one.outcomes.add(outcome)
      if (entry.kind === 'finished' || entry.kind === 'refused') {
        one.ended = true
        if (entry.results !== undefined) one.results = entry.results
      }
      witnessed.set(applyId, one)
    },
    /** The applies that wrote entries -> number of their first entry. */
    applies: (): ReadonlyMap<string, number> => new Map([...witnessed].map(([apply, { seq }]) => [apply, seq])),
    /** How a record contradicts the ledger; `undefined` if it does not. Call it after all entries were noted. */
    flawOf: (apply: Apply): string | undefined => {
      const known = witnessed.get(apply.id)
      const missing = apply.outcomes.find((outcome) => !known?.outcomes.has(canonicalJson(outcome)))
      if (missing !== undefined) return recordFlaws.noOutcome(missing.command, apply.id)
      if (hasEnded(apply) && known?.ended !== true) return recordFlaws.noEnd(apply.id)
      if (hasEnded(apply) && !isEqualCount(apply.results, known?.results)) return recordFlaws.otherResults(apply.id)
      const isOther = known !== undefined && known.approval !== approvalOf(apply)
      return isOther ? recordFlaws.otherApproval(apply.id) : undefined
    },
  }
}
