import {
  type Expression,
  isSecretForm,
  parseTemplate,
  type ReferenceStep,
} from '../../../engine/config/expressions/template.ts'
import { pathText, valueAt } from '../../../engine/json/pointer.ts'
import { isArray, isObject, type Json, type Path, type Step } from '../../../engine/schema/json.ts'
import { addressWithin, instanceAddress, moduleAddress } from '../../../engine/values/addresses/address.ts'
import type { DocumentFrame, Documents } from './documents.ts'
import type { LookUp } from './place.ts'
import { places, type Refusal, refusals } from './words.ts'

/** Longer chains are refused when the configuration is loaded. */
const maxChain = 100

interface WrittenText {
  readonly frame: DocumentFrame
  readonly at: Path
  readonly written: Json
}

type Follow = { readonly found: WrittenText } | { readonly refusal: Refusal }

interface Trail {
  readonly documents: Documents
  readonly name: string
  readonly depth: number
}

/** Follows a path through written values, and through texts that are references themselves. */
const followPath = (way: Trail, start: WrittenText, path: Path): Follow => {
  const { frame, at, written } = start
  if (typeof written === 'string' && isTemplate(written) && way.depth < maxChain) {
    const only = oneReference(written)
    const isWhole = only?.before === '' && only.after === ''
    if (only !== undefined && isWhole) return follow({ ...way, depth: way.depth + 1 }, frame, only.expression, path)
    return path.length === 0 ? { found: start } : { refusal: refusals.outside(way.name) }
  }
  const [step, ...rest] = path
  if (step === undefined) return { found: start }
  if (isSecretForm(written)) return { refusal: refusals.secret() }
  const next =
    (isArray(written) && typeof step === 'number') || isObject(written) ? valueAt(written, [step]) : undefined
  if (next === undefined) return { refusal: refusals.later(way.name) }
  return followPath(way, { frame, at: [...at, step], written: next }, rest)
}

type Start = { readonly frame: DocumentFrame; readonly at: Path; readonly path: Path } | undefined

const ofVariable = ({ documents }: Trail, frame: DocumentFrame, name: string, path: Path): Start => {
  const { call } = frame
  if (frame.module === '')
    return { frame: { file: documents.entry, module: '' }, at: ['variables', name, 'default'], path }
  const passed: Path = [...(call?.at ?? []), 'with', name]
  if (call !== undefined && documents.valueIn(call.frame.file, passed) !== undefined)
    return { frame: call.frame, at: passed, path }
  // A default cannot refer to its context.
  return { frame: { file: frame.file, module: frame.module }, at: ['parameters', name, 'default'], path }
}

const ofEach = ({ each, ...frame }: DocumentFrame, [first, ...rest]: Path): Start =>
  each === undefined || first === 'key' ? undefined : { frame, at: [...each.at, 'forEach'], path: [each.key, ...rest] }

const ofResource = ({ documents: { resources } }: Trail, frame: DocumentFrame, local: string, path: Path): Start => {
  const base = addressWithin(frame.module, local)
  const whole = resources.get(base)
  const place = whole ?? resources.get(instanceAddress(base, String(path[0])))
  return place && { frame: place.frame, at: [...place.at, 'spec'], path: whole === undefined ? path.slice(1) : path }
}

const ofModule = ({ documents: { modules } }: Trail, frame: DocumentFrame, local: string, path: Path): Start => {
  const base = moduleAddress(frame.module, local)
  const whole = modules.get(base)
  const inner = whole ?? modules.get(instanceAddress(base, String(path[0])))
  const [output = '', ...rest] = whole === undefined ? path.slice(1) : path
  return inner && { frame: inner, at: ['outputs', output, 'value'], path: rest }
}

const startOf = (way: Trail, frame: DocumentFrame, expression: Expression, path: Path): Start => {
  if (expression.kind === 'variable') return ofVariable(way, frame, expression.name, path)
  if (expression.kind === 'each') return ofEach(frame, path)
  if (expression.kind === 'resource') return ofResource(way, frame, expression.address, path)
  return expression.kind === 'module' ? ofModule(way, frame, expression.name, path) : undefined
}

const stepsOf = ({ each }: DocumentFrame, path: readonly ReferenceStep[]): Path | undefined => {
  const steps: Step[] = []
  for (const step of path) {
    const inner = typeof step !== 'object' ? step : step.each === 'key' ? each?.key : undefined
    if (inner === undefined) return undefined
    steps.push(inner)
  }
  return steps
}

const follow = (way: Trail, frame: DocumentFrame, expression: Expression, more: Path): Follow => {
  const { documents, name } = way
  if (expression.kind === 'workspace') return { refusal: refusals.workspaceName() }
  if (expression.kind === 'variable' && frame.module === '' && documents.given.has(expression.name))
    return { refusal: refusals.given(expression.name) }
  const path = stepsOf(frame, expression.path)
  const start = path && startOf(way, frame, expression, [...path, ...more])
  const written = start && documents.valueIn(start.frame.file, start.at)
  if (start === undefined || written === undefined) return { refusal: refusals.outside(name) }
  return followPath(way, { ...start, written }, start.path)
}

export interface OneReference {
  readonly expression: Expression
  readonly before: string
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

/** Tells whether a text contains references; escaped ones do not count. */
export const isTemplate = (text: string): boolean => {
  const template = text.includes('${') ? parseTemplate(text) : { parts: [] }
  return !('wrong' in template) && template.parts.some((part) => 'expression' in part)
}

const textOf = (expression: Expression, { module }: DocumentFrame): string => {
  if (expression.kind === 'workspace') return '${workspace}'
  const path = pathText(expression.path.filter((step) => typeof step !== 'object'))
  if (expression.kind === 'variable') return places.variable(expression.name, module)
  if (expression.kind === 'each') return places.each(path)
  return places.attribute(
    expression.kind === 'resource' ? addressWithin(module, expression.address) : moduleAddress(module, expression.name),
    path,
  )
}

export const lookUpIn =
  (documents: Documents, frame: DocumentFrame): LookUp =>
  ({ expression }) => {
    const name = textOf(expression, frame)
    const followed = follow({ documents, name, depth: 0 }, frame, expression, [])
    if ('refusal' in followed) return followed
    const { frame: inner, at, written } = followed.found
    return { file: inner.file, at, written, via: name, lookUp: lookUpIn(documents, inner) }
  }
