import { AppError } from '../../../../engine/errors/errors.ts'
import { fromPointer, toPointer, valueAt } from '../../../../engine/json/pointer.ts'
import type { BodyRule } from '../../../../engine/schema/command.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../../engine/schema/json.ts'
import { isLive, isMark } from '../../../../engine/schema/value.ts'
import { defined } from '../../../../engine/values/defined.ts'
import { mapMembers } from '../../../../engine/values/members.ts'
import { spellValue } from '../../../../engine/values/spell-value.ts'
import { textOfValue } from '../../../../engine/values/texts/json-text.ts'
import type { BodyRuleEntry } from './answers.ts'
import { lacks } from './words.ts'

/** The variables `{name}` and `{name.member}`. `isWhole`: a text is this variable and nothing else. */
export type Scope = (path: Path, isWhole?: boolean) => Json | undefined

/** `{{` and `}}` are literal braces; a `?` means that the value is optional. */
const pattern = /\{\{|\}\}|\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)(\?)?\}/g

export type TemplatePart = { readonly text: string } | { readonly variable: Path; readonly optional?: true }

/** Text cut into literal parts and variables. */
export const partsOf = (template: string): readonly TemplatePart[] => {
  if (!/[{}]/.test(template)) return template === '' ? [] : [{ text: template }]
  const parts: TemplatePart[] = []
  let end = 0
  for (const found of template.matchAll(pattern)) {
    const literal = template.slice(end, found.index)
    if (literal !== '') parts.push({ text: literal })
    parts.push(partOf(found))
    end = found.index + found[0].length
  }
  if (end < template.length) parts.push({ text: template.slice(end) })
  return parts
}

const partOf = ([whole, name, optional]: RegExpMatchArray): TemplatePart => {
  if (name === undefined) return { text: whole[0] ?? '' }
  const variable = name.split('.')
  return optional === undefined ? { variable } : { variable, optional: true }
}

/** The texts of a value at any depth, with their places. */
export const textsIn = (value: Json, at: Path = []): readonly { readonly at: Path; readonly text: string }[] => {
  const texts: { readonly at: Path; readonly text: string }[] = []
  const visit = (inner: Json, path: Path): void => {
    if (typeof inner === 'string') texts.push({ at: path, text: inner })
    else if (isArray(inner)) for (const [index, each] of inner.entries()) visit(each, [...path, index])
    else if (isObject(inner)) for (const [name, each] of Object.entries(inner)) visit(each, [...path, name])
  }
  visit(value, at)
  return texts
}

/** The variables of a template at any depth that must have a value, with the places of their texts. */
export const neededIn = (template: Json): readonly { readonly at: Path; readonly variable: Path }[] =>
  textsIn(template).flatMap(({ at, text }) =>
    partsOf(text).flatMap((part) =>
      'variable' in part && part.optional === undefined ? [{ at, variable: part.variable }] : [],
    ),
  )

/** All variables of a template at any depth. */
export const variablesOf = (template: Json): readonly Path[] =>
  textsIn(template).flatMap(({ text }) => partsOf(text).flatMap((part) => ('variable' in part ? [part.variable] : [])))

/** Whether a template at any depth has this variable, or a member of it. */
export const names = (template: Json, variable: string): boolean =>
  variablesOf(template).some(([first]) => first === variable)

export const scopeOf =
  (values: Readonly<Record<string, Json | undefined>>): Scope =>
  ([first, ...rest]) =>
    first === undefined || !Object.hasOwn(values, first) ? undefined : valueAt(values[first], rest)

/** Marks an object with choices: a setting of the workspace selects one of its members. */
export const choiceMark = '$choose'

/** A member of this name has an object, whose members stand beside the others of the template; the others win. */
export const spreadMark = '...'

/** The choices of a template, at any depth. */
export const choicesIn = (template: Json): readonly JsonObject[] => {
  if (isArray(template)) return template.flatMap(choicesIn)
  if (!isObject(template)) return []
  const inner = Object.values(template).flatMap(choicesIn)
  return Object.hasOwn(template, choiceMark) ? [template, ...inner] : inner
}

/** The chosen member of `{ $choose: "{with.form}", a: ..., b: ... }`; any other template is returned unchanged. */
const chosenOf = (template: Json, scope: Scope): Json | undefined => {
  if (!isObject(template) || !Object.hasOwn(template, choiceMark)) return template
  const chosen = fill(template[choiceMark] ?? null, scope)
  return chosen === undefined || isObject(chosen) || isArray(chosen) ? undefined : template[String(chosen)]
}

/** A template with all choices made. */
const withChoices = (template: Json, scope: Scope): Json => {
  const chosen = chosenOf(template, scope) ?? null
  if (isArray(chosen)) return chosen.map((element) => withChoices(element, scope))
  return isObject(chosen) ? mapMembers(chosen, (member) => withChoices(member, scope)) : chosen
}

/** The first variable of a template that must have a value and has none. */
export const missingIn = (template: Json, scope: Scope): string | undefined =>
  neededIn(withChoices(template, scope))
    .find(({ variable }) => scope(variable) === undefined)
    ?.variable.join('.')

/** The template of a write with its values. Throws TEMPLATE_VALUE_MISSING: only optional parts may be left out. */
export const fillWhole = (template: Json, scope: Scope, escapes?: Escapes): Json | undefined => {
  const variable = missingIn(template, scope)
  if (variable !== undefined) throw new AppError('TEMPLATE_VALUE_MISSING', { variable, detail: lacks.noValue })
  return fill(template, scope, escapes)
}

/**
 * A template with its variables filled in. A text that is one variable takes the value as it is; between other text it is
 * spelled. Members and elements without a value are left out.
 */
export const fill = (template: Json, scope: Scope, escapes?: Escapes): Json | undefined => {
  if (typeof template === 'string') return fillText(template, scope, escapes)
  if (isArray(template)) {
    return template.map((element) => fill(element, scope, escapes)).filter((element) => element !== undefined)
  }
  if (!isObject(template)) return template
  const chosen = chosenOf(template, scope)
  if (chosen !== template) return chosen === undefined ? undefined : fill(chosen, scope, escapes)
  return spread(mapMembers(template, (value) => fill(value, scope, escapes)))
}

/** How characters of a value are written inside of other text: `{ "'": "''" }`. */
export type Escapes = Readonly<Record<string, string>>

const spread = (filled: JsonObject): JsonObject => {
  const { [spreadMark]: more, ...own } = filled
  if (more === undefined) return filled
  if (isLive(more)) return { ...more, with: { ...more.with, ...atPlaces(own, more.at ?? '') } }
  if (isObject(more) && !isMark(more)) return { ...more, ...own }
  throw new AppError('TEMPLATE_VALUE_MISSING', { variable: spreadMark, detail: lacks.noObject })
}

/** Members that are laid over an object which is filled in only before it is sent. */
const atPlaces = (members: JsonObject, outer: string): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${outer}${toPointer([name])}`, value]))

const fillText = (template: string, scope: Scope, escapes?: Escapes): Json | undefined => {
  const parts = partsOf(template)
  const [only] = parts
  if (parts.length === 1 && only !== undefined && 'variable' in only) return scope(only.variable, true)
  const values: Json[] = []
  for (const part of parts) {
    const value = 'text' in part ? part.text : scope(part.variable)
    if (value === undefined) return undefined
    values.push('text' in part || escapes === undefined ? value : escaped(value, escapes))
  }
  return joinTexts(values)
}

/** What is known only later cannot be escaped, so that it cannot stand there. */
const escaped = (value: Json, escapes: Escapes): string =>
  Array.from(spell(value), (character) => (Object.hasOwn(escapes, character) ? escapes[character] : character)).join('')

/** Joins texts to one value; if there are marks among them, they stay separate until the marks are resolved. */
export const joinTexts = (parts: readonly Json[]): Json =>
  parts.some(isMark) ? { $concat: parts } : parts.map(spell).join('')

/** A value as a text. Throws TEMPLATE_VALUE_MISSING if a part of it is not a known text. */
export const spell = (value: Json): string => {
  const text = textOfValue(value)
  if (text !== undefined) return text
  throw new AppError('TEMPLATE_VALUE_MISSING', { variable: spellValue(value), detail: lacks.noText })
}

/** `a.b`, or a JSON pointer where a name holds a dot; empty for the whole value. */
export const pathOf = (place: string): Path =>
  place === '' ? [] : place.startsWith('/') ? fromPointer(place) : place.split('.')

/** A rule as answers are judged by it: at a pointer, within another place. */
export const ruleOf = ({ place, exists, is, has, not }: BodyRuleEntry, within = ''): BodyRule => ({
  pointer: pointerOf(place, within),
  ...defined({ exists, is, has, not }),
})

/** The JSON pointer of a place, within another place. */
export const pointerOf = (place: string, within = ''): string => toPointer([...pathOf(within), ...pathOf(place)])
