import { type Expression, isSecretForm, parseTemplate } from '../../config/references/template.ts'
import { pathText } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type Path } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import type { LookUp } from './place.ts'
import { places, type Refusal, refusals } from './words.ts'

/** What references of a document can name. */
export interface Sources {
  readonly document: Json
  /** Variables whose value was given from outside of the files. */
  readonly given: ReadonlySet<string>
  /** The place of the spec of a resource in the document; `undefined` for one of another file. */
  readonly specOf: (address: Address) => Path | undefined
}

/** Longer chains are refused when the configuration is loaded. */
const maxChain = 100

const stepIn = (value: Json, step: string | number): Json | undefined => {
  if (isArray(value)) return value[Number(step)]
  return isObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined
}

interface Found {
  readonly at: Path
  readonly written: Json
}

type Follow = { readonly found: Found } | { readonly refusal: Refusal }

/** Follows a path through written values; texts that are references themselves are followed too. */
const followPath = (sources: Sources, start: Found, path: Path, expression: string, depth: number): Follow => {
  const { at, written } = start
  if (typeof written === 'string' && written.includes('${') && depth < maxChain) {
    const inner = only(written)
    if (inner === undefined) return path.length === 0 ? { found: start } : { refusal: refusals.outside(expression) }
    return follow(sources, inner, path, depth + 1)
  }
  const [step, ...rest] = path
  if (step === undefined) return { found: start }
  if (isSecretForm(written)) return { refusal: refusals.secret() }
  const next = stepIn(written, step)
  if (next === undefined) return { refusal: refusals.later(expression) }
  return followPath(sources, { at: [...at, step], written: next }, rest, expression, depth)
}

/** The expression of a text that is nothing but one reference. */
const only = (text: string): Expression | undefined => {
  const template = parseTemplate(text)
  if ('wrong' in template) return undefined
  const [part, second] = template.parts
  return part !== undefined && second === undefined && 'expression' in part ? part.expression : undefined
}

const startOf = (sources: Sources, expression: Expression): Path | undefined => {
  if (expression.kind === 'variable') return ['variables', expression.name, 'default']
  return expression.kind === 'resource' ? sources.specOf(expression.address) : undefined
}

const textOf = (expression: Expression): string => {
  if (expression.kind === 'variable') return places.variable(expression.name)
  const path = pathText('path' in expression ? expression.path.filter((step) => typeof step !== 'object') : [])
  if (expression.kind === 'resource') return places.attribute(expression.address, path)
  return expression.kind === 'module' ? places.attribute(`module.${expression.name}`, path) : places.each(path)
}

const valueAtPlace = (document: Json, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((value, step) => (value === undefined ? undefined : stepIn(value, step)), document)

const follow = (sources: Sources, expression: Expression, more: Path, depth: number): Follow => {
  if (expression.kind === 'workspace') return { refusal: refusals.workspaceName() }
  if (expression.kind === 'variable' && sources.given.has(expression.name))
    return { refusal: refusals.given(expression.name) }
  const at = startOf(sources, expression)
  const written = at && valueAtPlace(sources.document, at)
  const name = textOf(expression)
  const path = expression.path.filter((step) => typeof step !== 'object')
  if (at === undefined || written === undefined || path.length < expression.path.length)
    return { refusal: refusals.outside(name) }
  return followPath(sources, { at, written }, [...path, ...more], name, depth)
}

/** The only reference of a text, and the plain texts around it. */
export interface OneReference {
  readonly expression: Expression
  readonly before: string
  /** As it is written. */
  readonly reference: string
  readonly after: string
}

/** `undefined` for a text without references, or with several. */
export const oneReference = (text: string): OneReference | undefined => {
  const template = parseTemplate(text)
  const parts = 'wrong' in template ? [] : template.parts
  const [found, second] = parts.filter((part) => 'expression' in part)
  if (found === undefined || second !== undefined) return undefined
  const textAt = (index: number): string => {
    const part = parts[index]
    return part !== undefined && 'text' in part ? part.text : ''
  }
  const place = parts.indexOf(found)
  return { expression: found.expression, before: textAt(place - 1), reference: found.written, after: textAt(place + 1) }
}

/** Whether a text contains references, and is not plain after its escapes. */
export const isTemplate = (text: string): boolean => {
  const template = text.includes('${') ? parseTemplate(text) : { parts: [] }
  return !('wrong' in template) && template.parts.some((part) => 'expression' in part)
}

/** Where the values of references of one document are written. */
export const createLookUp =
  (sources: Sources): LookUp =>
  ({ expression }) => {
    const followed = follow(sources, expression, [], 0)
    return 'refusal' in followed ? followed : { ...followed.found, via: textOf(expression) }
  }
