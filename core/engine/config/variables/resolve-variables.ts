import type { Issue } from '../../schema/issue.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import { type Frame, rootFrame } from '../references/frame.ts'
import type { Scope } from '../references/resolution.ts'
import { createResolver } from '../references/resolve-values.ts'
import { type Declaration, readDeclaration, whyRefused } from '../shape/declaration.ts'
import { say } from '../shape/words.ts'
import { instead } from '../shared/words.ts'
import { type Report, reporter } from '../syntax/parse-document.ts'
import { convertText } from './convert-text.ts'
import { environmentName, type GivenValue } from './given-value.ts'

export interface VariablesInput {
  readonly scope: Scope
  readonly declared: JsonObject
  readonly given: readonly GivenValue[]
  readonly frame: Frame
  readonly issues: Issue[]
}

export interface ResolvedVariables {
  /** `undefined` for a variable with a problem. */
  readonly values: ReadonlyMap<string, Json | undefined>
  /** The given values of declared variables, converted to their types, as they are stored with the configuration. */
  readonly given: JsonObject
}

/** If any part of the value has a problem, which is reported, the whole value is `undefined`. */
const resolveWith = (
  { scope, declaration, written, path }: { scope: Scope; declaration: Declaration; written: Json; path: Path },
  frame: Frame,
): Json | undefined => {
  let failed = false
  const report: Report = (...facts) => {
    failed = true
    return frame.report(...facts)
  }
  const value = createResolver(scope).value({ ...frame, report }, written, path)
  if (failed || value === undefined) return undefined
  const refused = whyRefused(value, declaration)
  return refused === undefined ? value : frame.report(path, refused)
}

const typedValue = ({ given }: GivenValue, { name, type, sensitive }: Declaration, report: Report): Json | undefined =>
  'value' in given
    ? given.value
    : (convertText(given.text, type, sensitive) ?? report([], say('wrongText', name, type)))

/** Uses the given value, otherwise the default. Wrong shapes are already reported. */
export const resolveVariables = ({ scope, declared, given, frame, issues }: VariablesInput): ResolvedVariables => {
  // The text of a given value is literal: whoever sets a variable cannot refer to anything.
  const frameOf = (value: GivenValue): Frame =>
    rootFrame(`given ${value.name}`, reporter(value, issues), value, { literal: true })
  const last = new Map(given.map((each) => [each.name, each]))
  for (const each of last.values()) {
    if (each.shared || Object.hasOwn(declared, each.name)) continue
    const fix = suggest(each.name, Object.keys(declared), instead.declareVariable)
    frameOf(each).report([], say('noVariable', each.name, fix))
  }
  const kept: [string, Json][] = []
  const ofGiven = (found: GivenValue, declaration: Declaration): Json | undefined => {
    const there = frameOf(found)
    const written = typedValue(found, declaration, there.report)
    if (written === undefined) return undefined
    const value = resolveWith({ scope, declaration, written, path: [] }, there)
    if (value !== undefined) kept.push([found.name, written])
    return value
  }
  const resolveOne = (name: string, written: Json): Json | undefined => {
    if (!isObject(written)) return undefined
    const declaration = readDeclaration(name, written)
    const found = last.get(name)
    if (found !== undefined) return ofGiven(found, declaration)
    const { default: value } = declaration
    if (value === undefined)
      return frame.report(['variables', name], say('noValue', name, declaration.type, environmentName(name)), 'key')
    return resolveWith({ scope, declaration, written: value, path: ['variables', name, 'default'] }, frame)
  }
  const values = new Map(Object.entries(declared).map(([name, written]) => [name, resolveOne(name, written)]))
  return { values, given: Object.fromEntries(kept) }
}
