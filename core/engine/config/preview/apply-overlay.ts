import type { Json, JsonObject } from '../../schema/json.ts'
import { addressPattern } from '../../values/addresses/address.ts'
import { defined } from '../../values/defined.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import type { ResourceDraft } from '../modules/draft.ts'
import { type Frame, rootFrame } from '../references/frame.ts'
import { instead } from '../shared/words.ts'
import type { GivenValue } from '../variables/given-value.ts'
import { fill } from './fill.ts'
import type { LoadedOverlay } from './load-overlay.ts'
import { say } from './words.ts'

export const overlayVariables = (
  { overlay, names, document, report }: LoadedOverlay,
  values: ReadonlyMap<string, Json | undefined>,
): readonly GivenValue[] =>
  Object.entries(overlay.variables ?? {}).flatMap(([name, written]) => {
    const where = `the variable "${name}"`
    const filling = { names, value: values.get(name), where, isLiteral: true, report }
    const value = fill(written, filling, ['variables', name])
    if (value === undefined) return []
    const locate: GivenValue['locate'] = (path) => document.locate(['variables', name, ...path])
    return [{ name, given: { value }, locate }]
  })

export const checkAliases = ({ overlay, report }: LoadedOverlay, aliases: readonly string[]): void => {
  for (const alias of Object.keys(overlay.providers ?? {})) {
    if (aliases.includes(alias)) continue
    report(['providers', alias], say('noProvider', alias, suggest(alias, aliases, instead.declareProvider)), 'key')
  }
}

export const overlayInputs = (
  { overlay, names, document, report }: LoadedOverlay,
  alias: string,
  given: JsonObject,
  frame: Frame,
): { readonly inputs: JsonObject; readonly frame: Frame } => {
  const { with: written = {} } = overlay.providers?.[alias] ?? {}
  const inputs = Object.entries(written).flatMap(([name, each]): [string, Json][] => {
    const where = `providers.${alias}.with.${name}`
    const filling = { names, value: given[name], where, isLiteral: false, report }
    const value = fill(each, filling, ['providers', alias, 'with', name])
    return value === undefined ? [] : [[name, value]]
  })
  const { variables, names: known } = frame
  return {
    inputs: Object.fromEntries(inputs),
    frame: rootFrame(document.file, report, document, defined({ names: known, variables })),
  }
}

export interface Renaming {
  readonly rename: (draft: ResourceDraft) => ResourceDraft
  /** Reports rules that renamed nothing. */
  readonly finish: () => void
}

/** Renames happen before references are resolved, because a written name may contain them. */
export const renaming = ({ overlay, names, report }: LoadedOverlay): Renaming => {
  const rules = (overlay.rename ?? []).map((rule) => ({ ...rule, covers: addressPattern(rule.address), count: 0 }))
  const rename = (draft: ResourceDraft): ResourceDraft => {
    // It is the same object for all branches.
    if (draft.lifecycle.readOnly) return draft
    const spec = { ...draft.spec }
    const done = new Set<string>()
    for (const [index, rule] of rules.entries()) {
      const { attribute, to } = rule
      if (!rule.covers(draft.address) || !Object.hasOwn(draft.spec, attribute)) continue
      rule.count += 1
      if (done.has(attribute)) report(['rename', index], say('renamesTwice', draft.address, attribute))
      done.add(attribute)
      const where = `${draft.address}.${attribute}`
      const filling = { names, value: draft.spec[attribute], where, isLiteral: false, report }
      const value = fill(to, filling, ['rename', index, 'to'])
      if (value !== undefined) spec[attribute] = value
    }
    return done.size === 0 ? draft : { ...draft, spec }
  }
  const finish = (): void => {
    for (const [index, { address, attribute, count }] of rules.entries()) {
      if (count === 0) report(['rename', index], say('renamesNothing', address, attribute))
    }
  }
  return { rename, finish }
}

/** A preview has no history of its own, so it must not use that of the objects of its base. */
export const withoutHistory = ({ import: _, moved: __, removed: ___, gone: ____, ...rest }: JsonObject): JsonObject =>
  rest
