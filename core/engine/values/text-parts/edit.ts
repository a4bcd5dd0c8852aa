import { canonicalJson } from '../../json/canonical.ts'
import { isObject, type Json, type JsonObject } from '../../schema/json.ts'
import { blockPart } from './block.ts'
import { linePart } from './line.ts'
import type { PartKind } from './part.ts'
import { sectionPart } from './section.ts'
import { shellSetPart } from './shell-set.ts'
import { parseText, printText } from './text-file.ts'
import { editWords } from './words.ts'

/**
 * A change of one part of a text file, as a request contains it. It names no other part, so that plans and ledgers
 * contain nothing of the others, and edits of several parts of one file do not depend on each other.
 */
export interface TextEdit {
  readonly kind: 'line' | 'block' | 'set' | 'section'
  readonly of: JsonObject
  /** The value afterwards; `null` removes the part. In a section, only the named keys change. */
  readonly to: Json
  /** The value that the part must have before; `null`: the part must not exist. Absent: any value. */
  readonly was?: Json
}

export type Edited =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: 'invalid' | 'changed' | 'unclear'; readonly detail: string }

const isText = (value: Json | undefined): value is string => typeof value === 'string'
const isTextOrNull = (value: Json | undefined): boolean => value === null || isText(value)
const hasTexts = (value: JsonObject, ...members: readonly string[]): boolean =>
  members.every((each) => isText(value[each]))

interface EditKind {
  // biome-ignore lint/suspicious/noExplicitAny: each kind checks its own name and value before it uses them.
  readonly part: PartKind<any, any>
  readonly isName: (of: JsonObject) => boolean
  readonly isValue: (to: Json) => boolean
}

const kinds: Readonly<Record<TextEdit['kind'], EditKind>> = {
  line: {
    part: linePart,
    isName: (of) => hasTexts(of, 'startsWith') && typeof of['exact'] === 'boolean',
    isValue: isText,
  },
  block: { part: blockPart, isName: (of) => hasTexts(of, 'name', 'comment'), isValue: isText },
  set: {
    part: shellSetPart,
    isName: (of) => (of['word'] === 'alias' || of['word'] === 'export') && hasTexts(of, 'name'),
    isValue: (to) => isObject(to) && hasTexts(to, 'value') && typeof to['expand'] === 'boolean',
  },
  section: {
    part: sectionPart,
    isName: (of) => hasTexts(of, 'section'),
    isValue: (to) => isObject(to) && Object.values(to).every(isTextOrNull),
  },
}

const fail = (why: Exclude<Edited, { ok: true }>['why'], detail: string): Edited => ({ ok: false, why, detail })

/** An edit of a part that already has the wanted value changes nothing. */
export const editText = (text: string, edit: Json | undefined): Edited => {
  if (!isEdit(edit)) return fail('invalid', editWords.invalid)
  const { of, to, was } = edit
  const { part } = kinds[edit.kind]
  const refusal = part.refuse(of, to)
  if (refusal !== undefined) return fail('invalid', refusal)
  const file = parseText(text)
  const found = part.find(file, of)
  if (found.kind === 'unclear') return fail('unclear', found.detail)
  const value: Json = found.kind === 'present' ? found.value : null
  if (holds(value, to)) return { ok: true, text }
  if (was !== undefined && !holds(value, was)) return fail('changed', editWords.changed)
  return { ok: true, text: printText(part.write(file, of, to, found)) }
}

const isEdit = (edit: Json | undefined): edit is JsonObject & TextEdit => {
  if (edit === undefined || !isObject(edit)) return false
  const { kind, of, to, was, ...others } = edit
  if (!isText(kind) || !Object.hasOwn(kinds, kind) || Object.keys(others).length > 0) return false
  const { isName, isValue } = kinds[kind as TextEdit['kind']]
  const isPossible = (value: Json | undefined): boolean => value === null || (value !== undefined && isValue(value))
  return of !== undefined && isObject(of) && isName(of) && isPossible(to) && (was === undefined || isPossible(was))
}

/**
 * In a section, only the named keys are compared; `null` matches a missing key, also if the section does not exist.
 * Without keys, the section itself must exist.
 */
const holds = (value: Json, wanted: Json): boolean => {
  if (!isObject(wanted) || (value !== null && !isObject(value))) return canonicalJson(value) === canonicalJson(wanted)
  if (Object.keys(wanted).length === 0) return value !== null
  const held = (key: string): Json => (value !== null && Object.hasOwn(value, key) ? (value[key] ?? null) : null)
  return Object.entries(wanted).every(([key, each]) => canonicalJson(held(key)) === canonicalJson(each))
}
