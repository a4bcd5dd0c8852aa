import { toPointer, valueAt } from '../../json/pointer.ts'
import type { Diagnostic } from '../../schema/issue.ts'
import { isArray, isObject, type Json, type JsonObject, type Path, type Step } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { addressWithin, instanceAddress, moduleAddress } from '../../values/addresses/address.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import { reach, referencesIn } from '../expressions/references.ts'
import { type Expression, isSecretForm, type ReferenceStep } from '../expressions/template.ts'
import { whyRefused } from '../shape/declaration.ts'
import { attributeText, instead, referencePath, say } from '../shared/words.ts'
import type { Declared, InstanceKeys, Lazy, ReferenceTarget } from './frame.ts'
import { type Context, type Forced, once, type Site } from './resolution.ts'

export type Resolve = (context: Context, site: Site, written: Json) => Json | undefined

interface NamedPath {
  readonly address: string
  readonly path: Path
}

/** Records that the resource or the lazy value at a site refers to these resources. */
const noteUse = ({ uses, scope }: Context, { owner, met, path }: Site, addresses: Iterable<Address>): void => {
  const others = [...addresses].filter((address) => address !== owner)
  if (met !== undefined) for (const address of others) met.add(address)
  if (owner === undefined || others.length === 0) return
  const own = uses.get(owner) ?? { addresses: new Set(), attributes: new Set() }
  for (const address of others) own.addresses.add(address)
  own.attributes.add(String(path[scope.declared?.resources.get(owner)?.path.length ?? 0]))
  uses.set(owner, own)
}

const stepsOf = (site: Site, path: readonly ReferenceStep[]): Path | undefined => {
  const steps: Step[] = []
  for (const step of path) {
    const { each } = site.frame
    const inner: Json | undefined = typeof step === 'object' ? (step.each === 'key' ? each?.key : each?.value) : step
    if (typeof inner !== 'string' && typeof inner !== 'number')
      return site.frame.report(site.path, each === undefined ? say('noEach') : say('eachNoStep'))
    steps.push(inner)
  }
  return steps
}

const force = (context: Context, site: Site, lazy: Lazy, resolve: Resolve): Json | undefined => {
  const known = forceLazy(context, lazy, resolve)
  noteUse(context, site, known.met)
  const { value } = known
  // The value must not depend on a read of the resource that uses it.
  const { owner } = site
  const own =
    value === undefined || owner === undefined ? undefined : referencesIn(value).find(({ $ref }) => $ref === owner)
  return own === undefined || owner === undefined
    ? value
    : site.frame.report(site.path, say('ownAttribute', owner, own.pointer.slice(1)))
}

/** Texts are counted in the chain and cached when they are resolved; collections are counted here. */
const resolveLinked = (context: Context, site: Site, written: Json, resolve: Resolve): Json | undefined =>
  isArray(written) || isObject(written)
    ? once(context, site, () => resolve(context, site, written))
    : resolve(context, site, written)

export const forceLazy = (context: Context, lazy: Lazy, resolve: Resolve): Forced => {
  const known = context.forced.get(lazy)
  if (known !== undefined) return known
  const { frame, path, written, declaration } = lazy
  const met = new Set<Address>()
  const value = resolveLinked(context, { frame, path, owner: undefined, met }, written, resolve)
  const refused = value === undefined || declaration === undefined ? undefined : whyRefused(value, declaration)
  const forced = { value: refused === undefined ? value : frame.report(path, refused), met }
  context.forced.set(lazy, forced)
  return forced
}

const ofVariable = (context: Context, site: Site, name: string, path: Path, resolve: Resolve): Json | undefined => {
  const { variables, report, module } = site.frame
  if (variables === undefined) return report(site.path, say('variableOfVariable', name))
  const variable = variables.get(name)
  if (variable === undefined) {
    const otherwise = module === '' ? instead.declareVariable : instead.declareParameter
    return report(site.path, say('noVariable', name, suggest(name, variables.keys(), otherwise)))
  }
  const value = 'written' in variable ? force(context, site, variable, resolve) : variable.value
  if (value === undefined) return undefined
  const reached = reach(value, path)
  return reached.kind === 'found'
    ? reached.value
    : report(site.path, say('noMemberOfVariable', name, referencePath(path)))
}

const ofEach = ({ frame, path: at }: Site, path: Path): Json | undefined => {
  const { each, report } = frame
  if (each === undefined) return report(at, say('noEach'))
  const [first, ...rest] = path
  if (first === 'key') return each.key
  const reached = reach(each.value, rest)
  return reached.kind === 'found' ? reached.value : report(at, say('noMemberOfEach', each.key, referencePath(rest)))
}

const instanceOf = (site: Site, base: string, group: InstanceKeys, path: Path): NamedPath | undefined => {
  const { report } = site.frame
  if (group.keys === undefined) return { address: base, path }
  const [key, ...rest] = path
  if (typeof key === 'string' && group.keys.has(key) && rest.length > 0)
    return { address: instanceAddress(base, key), path: rest }
  if (typeof key === 'string' && group.keys.has(key)) return report(site.path, say('wholeInstance', base))
  return report(site.path, say('noInstance', base, suggest(String(key), group.keys, instead.nameKey(base))))
}

/** Like `instanceOf`, but also reports a part that does not exist or may not be used here. */
const instanceIn = (
  context: Context,
  site: Site,
  { base, path }: { readonly base: string; readonly path: Path },
  groupsIn: (declared: Declared) => ReadonlyMap<string, InstanceKeys>,
  noGroup: () => Diagnostic,
): NamedPath | undefined => {
  const { declared } = context.scope
  const { report } = site.frame
  if (declared === undefined) return report(site.path, outOfReach(context, base))
  const group = groupsIn(declared).get(base)
  if (group === undefined) return report(site.path, noGroup())
  const named = group.broken ? undefined : instanceOf(site, base, group, path)
  if (named === undefined || !declared.disabled.has(named.address)) return named
  return report(site.path, say('disabledTarget', attributeText(named.address, named.path), named.address))
}

const outOfReach = ({ scope }: Context, address: string) =>
  scope.counting ? say('notCounted', address) : say('notInSpec', address)

const ofResource = (
  context: Context,
  site: Site,
  { local, path }: { readonly local: string; readonly path: Path },
  resolve: Resolve,
): Json | undefined => {
  const { declared } = context.scope
  const { report, names, module } = site.frame
  const base = addressWithin(module, local)
  const wanted = instanceIn(
    context,
    site,
    { base, path },
    ({ resourceGroups }) => resourceGroups,
    () => say('noResource', base, suggest(local, names.resources, instead.declare)),
  )
  const target = wanted && declared?.resources.get(wanted.address)
  if (declared === undefined || wanted === undefined || target === undefined) return undefined
  const { address } = wanted
  const owner = site.owner === undefined ? undefined : declared.resources.get(site.owner)
  if (target.absent && address !== site.owner && !owner?.absent)
    return report(site.path, say('absentTarget', attributeText(address, wanted.path), address))
  noteUse(context, site, [address])
  return fromSpec(context, site, { ...wanted, target }, resolve)
}

/** A value that only the target knows, such as an id or a fingerprint. */
const later = (site: Site, address: Address, path: Path): Json | undefined =>
  address === site.owner
    ? site.frame.report(site.path, say('ownAttribute', address, referencePath(path)))
    : { $ref: address, pointer: toPointer(path) }

/**
 * Follows the path through the plain part of the spec. Returns the last value that is found and the number of steps.
 */
const writtenAt = (spec: JsonObject, path: Path): readonly [node: Json, depth: number] => {
  let node: Json = spec
  let depth = 0
  for (const step of path) {
    const child: Json | undefined = depth > 0 && isSecretForm(node) ? undefined : valueAt(node, [step])
    if (child === undefined) break
    node = child
    depth += 1
  }
  return [node, depth]
}

const fromSpec = (
  context: Context,
  site: Site,
  { address, target, path }: NamedPath & { readonly target: ReferenceTarget },
  resolve: Resolve,
): Json | undefined => {
  const [node, depth] = writtenAt(target.spec, path)
  if (depth === 0) return later(site, address, path)
  const there: Site = { frame: target.frame, path: [...target.path, ...path.slice(0, depth)], owner: address }
  const value = resolveLinked(context, there, node, resolve)
  if (value === undefined) return undefined
  const reached = reach(value, path.slice(depth))
  if (reached.kind === 'found') return reached.value
  return reached.kind === 'missing'
    ? later(site, address, path)
    : site.frame.report(site.path, say('insideSecret', attributeText(address, path)))
}

const ofModule = (
  context: Context,
  site: Site,
  { local, path }: { readonly local: string; readonly path: Path },
  resolve: Resolve,
): Json | undefined => {
  const { declared } = context.scope
  const { report, names, module } = site.frame
  const base = moduleAddress(module, local)
  const wanted = instanceIn(
    context,
    site,
    { base, path },
    ({ moduleGroups }) => moduleGroups,
    () => say('noModule', base, suggest(local, names.modules, instead.declareModule)),
  )
  const instance = wanted && declared?.modules.get(wanted.address)
  if (wanted === undefined || instance === undefined) return undefined
  const [name = '', ...rest] = wanted.path
  const output = instance.outputs.get(String(name))
  if (output === undefined)
    return report(
      site.path,
      say(
        'noOutput',
        wanted.address,
        String(name),
        suggest(String(name), instance.outputs.keys(), instead.declareOutput),
      ),
    )
  const value = force(context, site, output, resolve)
  if (value === undefined) return undefined
  const reached = reach(value, rest)
  if (reached.kind === 'found') return reached.value
  return report(site.path, say('noMemberOfOutput', `${wanted.address}.${name}`, referencePath(rest)))
}

/** `undefined` if the reference has a problem, which is reported. */
export const namedValue = (
  context: Context,
  site: Site,
  expression: Expression,
  resolve: Resolve,
): Json | undefined => {
  if (expression.kind === 'workspace')
    return site.frame.module === '' ? context.scope.workspace : site.frame.report(site.path, say('workspaceInModule'))
  const path = stepsOf(site, expression.path)
  if (path === undefined) return undefined
  if (expression.kind === 'variable') return ofVariable(context, site, expression.name, path, resolve)
  if (expression.kind === 'each') return ofEach(site, path)
  if (expression.kind === 'module') return ofModule(context, site, { local: expression.name, path }, resolve)
  return ofResource(context, site, { local: expression.address, path }, resolve)
}
