import type { Diagnostic } from '../../schema/issue.ts'
import { isArray, isObject, type Json, type Path } from '../../schema/json.ts'
import { isLargeNumber } from '../../values/large-integer.ts'
import { mapMembers } from '../../values/members.ts'
import type { PreviewNames } from '../../values/preview-names.ts'
import { say } from './words.ts'

export interface Filling {
  readonly names: PreviewNames
  readonly value?: Json | undefined
  /** Names the owner of the value in messages. */
  readonly where: string
  /** The result contains no further references: `$${` becomes `${`, and any other `${` is an error. */
  readonly isLiteral: boolean
  readonly report: (path: Path, diagnostic: Diagnostic) => undefined
}

const words = /\$\$\{|\$\{\s*(branch|slug|key|value)\s*\}|\$\{[^}]*\}?/g

/** Escapes `${`, because a branch or a name must not become a reference. */
const quoted = (text: string, isLiteral: boolean): string => (isLiteral ? text : text.replaceAll('${', () => '$${'))

const valueIn = ({ value, where, report }: Filling, path: Path): string | undefined => {
  if (value === undefined) return report(path, say('noValue', where))
  if (isLargeNumber(value)) return value.$number
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  return report(path, say('valueNotText', where))
}

const fillText = (text: string, filling: Filling, path: Path): Json | undefined => {
  const { names, isLiteral, report, value } = filling
  if (/^\$\{\s*value\s*\}$/.test(text) && value !== undefined) return value
  let failed = false
  const filled = text.replaceAll(words, (found, word?: 'branch' | 'slug' | 'key' | 'value') => {
    if (word === 'value') {
      const own = valueIn(filling, path)
      failed ||= own === undefined
      return own ?? ''
    }
    if (word !== undefined) return quoted(names[word], isLiteral)
    if (!isLiteral) return found
    if (found === '$${') return '${'
    report(path, say('noWord', found))
    failed = true
    return ''
  })
  return failed ? undefined : filled
}

/** `undefined` if a word in the value has a problem, which is reported. */
export const fill = (written: Json, filling: Filling, path: Path = []): Json | undefined => {
  if (typeof written === 'string') return fillText(written, filling, path)
  if (isArray(written)) {
    const all = written.map((each, index) => fill(each, filling, [...path, index]))
    return all.some((each) => each === undefined) ? undefined : (all as Json[])
  }
  if (!isObject(written)) return written
  const all = mapMembers(written, (each, name) => fill(each, filling, [...path, name]))
  return Object.keys(all).length === Object.keys(written).length ? all : undefined
}
