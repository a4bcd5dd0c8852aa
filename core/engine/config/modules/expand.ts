import { isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import type { ModuleCall } from '../../schema/resource.ts'
import { addressWithin, instanceAddress, moduleAddress } from '../../values/addresses/address.ts'
import { isTooLong, maxAddressBytes, namePattern } from '../../values/addresses/declarable.ts'
import { placeText } from '../../values/diagnose.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import type { Frame, Lazy } from '../references/frame.ts'
import { createResolver } from '../references/resolve-values.ts'
import { instead, lineText, say as sayOfConfiguration } from '../shared/words.ts'
import { reporter } from '../syntax/parse-document.ts'
import { addForeign, type ForeignInstance } from './add-foreign.ts'
import { areTooMany } from './count.ts'
import { calledFrom, definitionsIn, type ModuleDefinition, parametersOf } from './definition.ts'
import { isNamed, toDraft } from './draft.ts'
import {
  type ConfigurationPart,
  type Expanded,
  type ExpandInput,
  type Expansion,
  type Level,
  listIn,
  mayGrow,
} from './expansion.ts'
import { frameOf, groupOf, type Instances, instancesOf } from './instances.ts'
import { say } from './words.ts'

const noteDisabled = (base: string, instances: Instances | undefined, { disabled }: Expansion): void => {
  for (const each of instances?.disabled ?? []) disabled.add(instanceAddress(base, each?.key))
}

const providerOf = (written: JsonObject, path: Path, frame: Frame, { resolver }: Expansion): string => {
  const { provider } = written
  if (typeof provider !== 'string') return ''
  const value = resolver.value(frame, provider, [...path, 'provider'])
  if (value === undefined || typeof value === 'string') return value ?? ''
  return frame.report([...path, 'provider'], say('providerNotText')) ?? ''
}

const addResource = (written: Json, index: number, { frame }: Level, expansion: Expansion): void => {
  if (!isNamed(written)) return
  const path: Path = ['resources', index]
  const local = `${written.type}.${written.name}`
  const base = addressWithin(frame.module, local)
  frame.names.resources.add(local)
  const before = expansion.resourceGroups.get(base)
  if (before !== undefined) {
    const place = lineText(before.position, frame.locate(path))
    frame.report([...path, 'name'], sayOfConfiguration('declaredTwice', base, place))
  }
  const instances = instancesOf(written, { path, frame, local }, expansion.resolver)
  noteDisabled(base, instances, expansion)
  if (isObject(written['forAll'] ?? null)) {
    const others = ['forEach', 'absent', 'dependsOn', 'lifecycle'].filter((key) => Object.hasOwn(written, key))
    for (const key of others) frame.report([...path, key], sayOfConfiguration('ruleAndOther', key), 'key')
  }
  // References to a repeated address mean its first resource. The second one is still checked.
  if (before === undefined)
    expansion.resourceGroups.set(base, { ...groupOf(written, instances), position: frame.locate(path) })
  for (const each of instances?.enabled ?? []) {
    if (!mayGrow(expansion, frame, path)) return
    const own = frameOf(frame, local, each)
    const provider = providerOf(written, path, own, expansion)
    const draft = expansion.rename(toDraft(written, index, { frame: own, provider }))
    if (isTooLong(draft.address)) frame.report(path, say('longAddress', maxAddressBytes))
    if (before === undefined) expansion.resources.set(draft.address, draft)
    expansion.drafts.push(draft)
  }
}

const checkCall = ({ parameters, file }: ModuleDefinition, given: JsonObject, { report }: Frame, path: Path): void => {
  for (const name of Object.keys(given)) {
    if (parameters.has(name)) continue
    report(
      [...path, 'with', name],
      say('noParameter', name, file, suggest(name, parameters.keys(), instead.remove)),
      'key',
    )
  }
  for (const [name, { default: otherwise, type }] of parameters) {
    if (otherwise !== undefined || Object.hasOwn(given, name)) continue
    report([...path, 'with'], say('noArgument', name, file, type))
  }
}

const addModule = (written: Json, index: number, level: Level, expansion: Expansion): void => {
  if (!isObject(written)) return
  const { name, source } = written
  if (typeof name !== 'string' || !namePattern.test(name)) return
  const { frame, calls, files } = level
  const path: Path = ['modules', index]
  const base = moduleAddress(frame.module, name)
  frame.names.modules.add(name)
  if (expansion.moduleGroups.has(base)) {
    frame.report([...path, 'name'], say('moduleTwice', base))
    return
  }
  const { file, line, column } = frame.locate(path)
  const callOf = (module: string): readonly ModuleCall[] => [...calls, { module, file, line, column }]
  const foreign = typeof source === 'string' ? expansion.findSource(source) : undefined
  if (foreign !== undefined) {
    addForeignModule(written, { source: foreign, base, path }, level, expansion)
    return
  }
  const definition = expansion.define(source, [...path, 'source'], frame, callOf(base))
  const local = `module.${name}`
  const instances = instancesOf(written, { path, frame, local }, expansion.resolver)
  noteDisabled(base, instances, expansion)
  const isCircle = definition !== undefined && files.includes(definition.file)
  const group = groupOf(written, instances)
  expansion.moduleGroups.set(base, { ...group, broken: group.broken || definition === undefined || isCircle })
  if (definition === undefined) return
  if (isCircle) {
    const chain = [...callOf(base).map((call) => `${call.module} (${placeText(call)})`)]
    frame.report([...path, 'source'], say('moduleCircle', definition.file, chain))
    return
  }
  const given = isObject(written['with']) ? written['with'] : {}
  checkCall(definition, given, frame, path)
  for (const each of instances?.enabled ?? []) {
    if (!mayGrow(expansion, frame, path)) return
    const outer = frameOf(frame, local, each)
    const module = instanceAddress(base, each?.key)
    if (isTooLong(module)) {
      frame.report(path, say('longAddress', maxAddressBytes))
      continue
    }
    addInstance({ definition, given, outer, path, module }, { calls: callOf(module), files }, expansion)
  }
}

const addForeignModule = (
  written: JsonObject,
  { source, base, path }: Pick<ForeignInstance, 'source' | 'path'> & { readonly base: string },
  { frame, calls }: Level,
  expansion: Expansion,
): void => {
  const instances = instancesOf(written, { path, frame, local: base }, expansion.resolver)
  noteDisabled(base, instances, expansion)
  const given = isObject(written['with']) ? written['with'] : {}
  const { file, line, column } = frame.locate(path)
  expansion.moduleGroups.set(base, groupOf(written, instances))
  for (const each of instances?.enabled ?? []) {
    const outer = frameOf(frame, base, each)
    const module = instanceAddress(base, each?.key)
    const inside = [...calls, { module, file, line, column }]
    if (isTooLong(module)) frame.report(path, say('longAddress', maxAddressBytes))
    else addForeign({ source, given, outer, path, module, calls: inside }, expansion)
  }
}

interface CalledModule {
  readonly definition: ModuleDefinition
  readonly given: JsonObject
  readonly outer: Frame
  readonly path: Path
  readonly module: string
}

const addInstance = (
  { definition, given, outer, path, module }: CalledModule,
  { calls, files }: Omit<Level, 'frame'>,
  expansion: Expansion,
): void => {
  const { document, file, written, outputs, names } = definition
  const locate = calledFrom(document, calls)
  const report = reporter({ locate }, expansion.issues)
  const bare: Frame = { id: module, module, locate, report, names }
  const parameters = parametersOf(definition, given, { outer, inner: bare, path })
  const frame: Frame = { ...bare, variables: parameters }
  const lazyOutputs = [...outputs].map(([name, value]): readonly [string, Lazy] => [
    name,
    { frame, path: ['outputs', name, 'value'], written: value },
  ])
  expansion.modules.set(module, { parameters, outputs: new Map(lazyOutputs) })
  expandPart({ frame, written }, { frame, calls, files: [...files, file] }, expansion)
}

const expandPart = ({ written }: ConfigurationPart, level: Level, expansion: Expansion): void => {
  for (const [index, resource] of listIn(written, 'resources').entries()) addResource(resource, index, level, expansion)
  for (const [index, module] of listIn(written, 'modules').entries()) addModule(module, index, level, expansion)
}

/**
 * Creates every instance of resources and modules. Only variables decide which instances exist; values of attributes,
 * parameters and outputs are resolved later, when all resources are known.
 */
export const expand = (parts: readonly ConfigurationPart[], input: ExpandInput): Expanded => {
  const { scope, files, issues, rename, findSource } = input
  const expansion: Expansion = {
    define: definitionsIn(files, issues),
    findSource,
    files,
    facts: [],
    resolver: createResolver({ ...scope, counting: true }),
    issues,
    rename,
    drafts: [],
    resources: new Map(),
    resourceGroups: new Map(),
    modules: new Map(),
    moduleGroups: new Map(),
    disabled: new Set(),
    count: 0,
  }
  for (const part of areTooMany(parts, input) ? [] : parts)
    expandPart(part, { frame: part.frame, calls: [], files: [] }, expansion)
  const { drafts, facts, resources, resourceGroups, modules, moduleGroups, disabled } = expansion
  return { drafts, facts, declared: { resources, resourceGroups, modules, moduleGroups, disabled } }
}
