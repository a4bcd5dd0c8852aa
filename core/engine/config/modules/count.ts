import { isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import { instanceAddress, moduleAddress } from '../../values/addresses/address.ts'
import { type Each, type Frame, frameOfEach } from '../references/frame.ts'
import { createResolver, type Resolver } from '../references/resolve-values.ts'
import { definitionsIn, type ModuleDefinition, parametersOf } from './definition.ts'
import { isNamed } from './draft.ts'
import {
  type ConfigurationPart,
  type ExpandInput,
  isTooLong,
  listIn,
  maxAddressBytes,
  maxInstances,
} from './expansion.ts'
import { instancesIn } from './for-each.ts'
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
    if (isNamed(resource)) yield [path, instancesOf(resource, path, inside.frame, counting).length]
  }
  for (const [index, call] of listIn(written, 'modules').entries()) {
    const path: Path = ['modules', index]
    if (isObject(call)) yield [path, countOfCall(call, path, inside, counting)]
  }
}

const instancesOf = (
  written: JsonObject,
  path: Path,
  frame: Frame,
  { resolver }: Counting,
): readonly (Each | undefined)[] =>
  Object.hasOwn(written, 'forEach')
    ? (instancesIn(written['forEach'] ?? null, [...path, 'forEach'], frame, resolver) ?? [])
    : [undefined]

const countOfCall = (written: JsonObject, path: Path, { frame, files }: Inside, counting: Counting): number => {
  const { name, source } = written
  const isForeign = typeof source === 'string' && counting.findSource(source) !== undefined
  const definition = isForeign ? undefined : counting.define(source, [...path, 'source'], frame, [])
  if (typeof name !== 'string' || definition === undefined || files.includes(definition.file)) return 0
  const given = isObject(written['with']) ? written['with'] : {}
  const countOf = (each: Each | undefined): number => {
    const outer = each === undefined ? frame : frameOfEach(frame, `module.${name} ${each.key}`, each)
    const module = instanceAddress(moduleAddress(frame.module, name), each?.key)
    const { locate } = definition.document
    const bare: Frame = { id: module, module, locate, report: silent, names: definition.names }
    const variables = parametersOf(definition, given, { outer, inner: bare, path })
    const within = { frame: { ...bare, variables }, files: [...files, definition.file] }
    return 1 + sumOf(countsIn(definition.written, within, counting), ([, count]) => count)
  }
  // It is refused as too long, and its module is not looked at.
  if (isTooLong(frame.module)) return 0
  const instances = instancesOf(written, path, frame, counting)
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
  const repeated = [...listIn(written, 'resources').filter(isObject), ...calls].map((each) => each['forEach'])
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
