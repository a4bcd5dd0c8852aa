import { AppError } from '../../engine/errors/errors.ts'
import { canonicalJson } from '../../engine/json/canonical.ts'
import { shorten } from '../../engine/values/texts/shorten.ts'

/** Ends a case by throwing. */
export const refuse = (detail: string): never => {
  throw new AppError('PROVIDER_NOT_CONFORMANT', { detail })
}

export function demand(holds: boolean, detail: () => string): asserts holds {
  if (!holds) refuse(detail())
}

export const isSameJson = (left: unknown, right: unknown): boolean => canonicalJson(left) === canonicalJson(right)

const shownLength = 2_000

export const shown = (value: unknown): string => shorten(JSON.stringify(value) ?? 'undefined', shownLength)
