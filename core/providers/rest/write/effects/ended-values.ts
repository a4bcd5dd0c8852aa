import { toPointer } from '../../../../engine/json/pointer.ts'
import { allEntries, applies, sameValue } from '../../document/attributes.ts'
import { pathOf } from '../../document/shared/template.ts'
import type { CommandContext, Transition } from '../values/command-context.ts'
import { valuesOf } from './losses.ts'

/**
 * Values that were read, and that an object does not have any more once these attributes have their new values (`appliesWhen`): the
 * server may drop them, and no inverse brings them back.
 */
export const endedBy = (
  { resource, change }: CommandContext,
  { after, names }: Pick<Transition, 'after' | 'names'>,
): readonly string[] => {
  const before = change.before ?? {}
  const changing = new Set([...names, ...change.changed.map(([name]) => String(name))])
  const then = { ...before, ...Object.fromEntries(names.map((name) => [name, after[name] ?? null])) }
  return Object.entries(allEntries(resource)).flatMap(([name, entry]) => {
    const { appliesWhen = {}, computed, path = name } = entry
    const isAbout = !changing.has(name) && computed !== true && names.some((each) => Object.hasOwn(appliesWhen, each))
    if (!isAbout || !applies(resource, entry, before) || applies(resource, entry, then)) return []
    return sameValue(entry, before[name], undefined)
      ? []
      : valuesOf(before[name] ?? null).map((place) => `${toPointer(pathOf(path))}${place}`)
  })
}
