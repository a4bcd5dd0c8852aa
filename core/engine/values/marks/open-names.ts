import { canonicalJson } from '../../json/canonical.ts'
import { toPointer } from '../../json/pointer.ts'
import type { Json } from '../../schema/json.ts'
import { type AfterMark, isAfter, isConcat, isNumberMark } from '../../schema/value.ts'
import { markWords } from '../words.ts'

/*
 * The key of a map that an earlier command makes: its name is the words of the mark, with the text around them, so that it is
 * compared, shown and laid in like any other key. A pointer may contain such a name too. `escapeMarks` wraps foreign objects
 * with such names, so that nobody can insert one.
 */

const marked = /\(known after apply: (\S+) ((?:\/|~1)[^()]*)\)/

export const isOpenName = (name: string): boolean => marked.test(name)

/** A part of a name: text, or a mark; `isInPointer`: the name stands in a JSON pointer, where texts are escaped. */
type NamePart = string | { readonly mark: AfterMark; readonly isInPointer: boolean }

const partsOf = (name: string): readonly NamePart[] => {
  const found = marked.exec(name)
  if (found === null) return name === '' ? [] : [name]
  const [whole, address = '', pointer = ''] = found
  const [before, after] = [name.slice(0, found.index), name.slice(found.index + whole.length)]
  const isInPointer = pointer.startsWith('~1')
  const [$after, own] = isInPointer ? [unescaped(address), unescaped(pointer)] : [address, pointer]
  return [...(before === '' ? [] : [before]), { mark: { $after, pointer: own }, isInPointer }, ...partsOf(after)]
}

const unescaped = (text: string): string => text.replaceAll('~1', '/').replaceAll('~0', '~')

export const marksInName = (name: string): readonly AfterMark[] =>
  isOpenName(name) ? partsOf(name).flatMap((part) => (typeof part === 'string' ? [] : [part.mark])) : []

/** The text of a name as a mark: `$after` alone, or a `$concat`. A text without marks stays a text. */
export const nameAsMark = (name: string): Json => {
  if (!isOpenName(name)) return name
  const parts = partsOf(name).map((part): Json => (typeof part === 'string' ? part : { ...part.mark }))
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : { $concat: parts }
}

/** The name for a key that a mark gives; `undefined` if the name would not say all of it, as of a secret. */
export const openName = (key: Json): string | undefined => {
  const parts: readonly Json[] = isConcat(key) ? key.$concat : [key]
  const name = parts
    .map((part) => (isAfter(part) ? markWords.knownAfter(part.$after, part.pointer) : String(part)))
    .join('')
  return canonicalJson(nameAsMark(name)) === canonicalJson(key) ? name : undefined
}

/** The name with the values that are known now. Only texts and numbers can be names. */
export const fillName = (name: string, known: (mark: AfterMark) => Json | undefined): string =>
  isOpenName(name)
    ? partsOf(name)
        .map((part) => (typeof part === 'string' ? part : valueInName(part, known(part.mark))))
        .join('')
    : name

const valueInName = ({ mark, isInPointer }: Exclude<NamePart, string>, value: Json | undefined): string => {
  const scalar = isNumberMark(value) ? value.$number : value
  const isName = typeof scalar === 'string' || typeof scalar === 'number'
  const text = isName ? String(scalar) : markWords.knownAfter(mark.$after, mark.pointer)
  return isInPointer ? toPointer([text]).slice(1) : text
}
