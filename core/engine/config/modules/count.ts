import { isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import { instanceAddress, moduleAddress } from '../../values/addresses/address.ts'
import { isTooLong, maxAddressBytes } from '../../values/addresses/declarable.ts'
import type { Frame } from '../references/frame.ts'
import { createResolver, type Resolver } from '../references/resolve-values.ts'
import { definitionsIn, type ModuleDefinition, parametersOf } from './definition.ts'
import { isNamed } from './draft.ts'
import { type ConfigurationPart, type ExpandInput, listIn, maxInstances } from './expansion.ts'
import { frameOf, type Instance, instancesOf } from './instances.ts'
import { say } from './words.ts'

interface Counting {
  readonly define: ReturnType<typeof definitionsIn>
  readonly resolver: Resolver
  readonly findSource: ExpandInput['findSource']
  /** By file: the parameters that decide how many instances a module makes. */
  readonly deciding: Map<string, ReadonlySet<string>>
}

interface Inside {
  readonly frame: Frame
  readonly files: readonly string[]
}

const silent: Frame['report'] = () => undefined

const nowhere = {
  id: '',
  module: '',
  report: silent,
  names: { resources: new Set<string>(), modules: new Set<string>() },
}

const deepest = maxAddressBytes / 'module.a.'.length

/**
 * Reports the first place beyond the limit before any instance is made: the counts of calls within calls are
 * multiplied. Other problems are reported when the instances are made.
 */
export const areTooMany = (parts: readonly ConfigurationPart[], { scope, files, findSource }: ExpandInput): boolean => {
  const resolver = createResolver({ ...scope, counting: true })
  const counting = { define: definitionsIn(files, []), resolver, findSource, deciding: new Map() }
  let sum = 0
  for (const { frame, written } of parts) {
    for (const [path, count] of countsIn(written, { frame: { ...frame, report: silent }, files: [] }, counting)) {
      sum += count
      if (sum <= maxInstances) continue
      frame.report(path, say('tooMany', maxInstances))
      return true
    }
  }
  return false
}

function* countsIn(written: JsonObject, inside: Inside, counting: Counting): Generator<readonly [Path, number]> {
  for (const [index, resource] of listIn(written, 'resources').entries()) {
    const path: Path = ['resources', index]
    if (!isNamed(resource)) continue
    const place = { path, frame: inside.frame, local: `${resource.type}.${resource.name}` }
    yield [path, instancesOf(resource, place, counting.resolver)?.enabled.length ?? 0]
  }
  for (const [index, call] of listIn(written, 'modules').entries()) {
    const path: Path = ['modules', index]
    if (isObject(call)) yield [path, countOfCall(call, path, inside, counting)]
  }
}

const countOfCall = (written: JsonObject, path: Path, { frame, files }: Inside, counting: Counting): number => {
  const { name, source } = written
  const isForeign = typeof source === 'string' && counting.findSource(source) !== undefined
  const definition = isForeign ? undefined : counting.define(source, [...path, 'source'], frame, [])
  if (typeof name !== 'string' || definition === undefined || files.includes(definition.file)) return 0
  const given = isObject(written['with']) ? written['with'] : {}
  const local = `module.${name}`
  const countOf = (each: Instance): number => {
    const outer = frameOf(frame, local, each)
    const module = instanceAddress(moduleAddress(frame.module, name), each?.key)
    const { locate } = definition.document
    const bare: Frame = { id: module, module, locate, report: silent, names: definition.names }
    const variables = parametersOf(definition, given, { outer, inner: bare, path })
    const within = { frame: { ...bare, variables }, files: [...files, definition.file] }
    return 1 + sumOf(countsIn(definition.written, within, counting), ([, count]) => count)
  }
  // It is refused as too long, and its module is not looked at.
  if (isTooLong(frame.module)) return 0
  const instances = instancesOf(written, { path, frame, local }, counting.resolver)?.enabled ?? []
  const [first] = instances
  const areAlike = [...decidingIn(definition, 0, counting)].every((each) => !names(given[each], 'each'))
  if (!areAlike) return sumOf(instances, countOf)
  return instances.length === 0 ? 0 : instances.length * countOf(first)
}

/** Ends at the first sum beyond the limit. */
const sumOf = <Item>(items: Iterable<Item>, countOf: (item: Item) => number): number => {
  let sum = 0
  for (const item of items) {
    sum += countOf(item)
    if (sum > maxInstances) break
  }
  return sum
}

/** True too for a text that only looks like the name: then instances are counted one by one. */
const names = (value: Json | undefined, name: string): boolean =>
  value !== undefined && JSON.stringify(value).includes(name)

const decidingIn = (
  { file, written, parameters }: ModuleDefinition,
  depth: number,
  counting: Counting,
): ReadonlySet<string> => {
  const known = counting.deciding.get(file)
  if (known !== undefined) return known
  // Circles are refused, and so are longer chains, because their addresses are too long.
  counting.deciding.set(file, new Set())
  if (depth > deepest) return new Set()
  const calls = listIn(written, 'modules').filter(isObject)
  const repeated = [...listIn(written, 'resources').filter(isObject), ...calls].flatMap((each) => [
    each['forEach'],
    each['enabled'],
  ])
  const passed = calls.flatMap(({ source, with: given }) => {
    const inner = counting.define(source, [], { ...nowhere, locate: () => ({ file, line: 0, column: 0 }) }, [])
    return inner === undefined || !isObject(given)
      ? []
      : [...decidingIn(inner, depth + 1, counting)].map((each) => given[each])
  })
  const found = new Set(
    [...parameters.keys()].filter((name) => [...repeated, ...passed].some((each) => names(each, name))),
  )
  counting.deciding.set(file, found)
  return found
}
