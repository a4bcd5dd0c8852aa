import { isSecretForm } from '../../../engine/config/expressions/template.ts'
import { writtenForm } from '../../../engine/config/write-resources.ts'
import { pathText } from '../../../engine/json/pointer.ts'
import type { Json, Path } from '../../../engine/schema/json.ts'
import { isSensitive } from '../../../engine/schema/value.ts'
import type { OneReference } from './look-up.ts'
import type { Place, Taking } from './place.ts'
import { type Refusal, refusals } from './words.ts'

const startsWith = (path: Path, start: Path): boolean =>
  start.length <= path.length && start.every((step, depth) => String(step) === String(path[depth]))

/** Returns the wanted path that equals or contains a path. */
export const wantedAt = ({ wanted }: Taking, path: Path): Path | undefined =>
  wanted.find((each) => startsWith(path, each))

export const isAbove = ({ wanted }: Taking, path: Path): boolean => wanted.some((each) => startsWith(each, path))

export const refuse = ({ refused, done }: Taking, path: Path, refusal: Refusal): void => {
  refused.set(pathText(path), { path, refusal })
  done.add(pathText(path))
}

/** Tells whether a value is accepted here, and marks its path as decided. */
export const isTaken = (taking: Taking, path: Path): boolean => {
  const wanted = wantedAt(taking, path)
  if (wanted !== undefined) taking.done.add(pathText(wanted))
  return wanted !== undefined
}

export const refusalOf = ({ facts, resolved, live, path, written }: Place): Refusal | undefined => {
  if (facts.sensitive || isSensitive(resolved) || isSensitive(live) || isSecretForm(written)) return refusals.secret()
  if (facts.writeOnly) return refusals.writeOnly()
  if (facts.computed) return refusals.computed()
  return facts.identity && path.length === 1 ? refusals.identity() : undefined
}

const isAround = (live: string, { before, after }: OneReference): boolean =>
  live.length >= before.length + after.length && live.startsWith(before) && live.endsWith(after)

/** Replaces the texts around the reference, if the live text still contains the reference's value exactly once. */
export const textAround = ({ live, resolved }: Place, only: OneReference): string | undefined => {
  if (typeof live !== 'string' || typeof resolved !== 'string' || isAround(live, only)) return undefined
  const value = resolved.slice(only.before.length, resolved.length - only.after.length)
  const at = live.indexOf(value)
  if (value === '' || at < 0 || live.indexOf(value, at + 1) >= 0) return undefined
  const [before, after] = [writtenForm(live.slice(0, at)), writtenForm(live.slice(at + value.length))]
  return `${String(before)}${only.reference}${String(after)}`
}

export const partOf = ({ live, written, path }: Place, only: OneReference, text: string, taking: Taking): Json => {
  const fits = typeof live === 'string' && isAround(live, only)
  const part = fits ? live.slice(only.before.length, live.length - only.after.length) : ''
  const number = Number(part)
  if (part !== '') {
    if (typeof written === 'string' && !part.includes('${')) return part
    if (typeof written === 'number' && String(number) === part) return number
  }
  refuse(taking, wantedAt(taking, path) ?? path, refusals.parts(text))
  return written
}
