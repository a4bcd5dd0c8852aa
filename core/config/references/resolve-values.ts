import { toPointer, valueAt } from '../../json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { isMark, isSecret, isUnknown } from '../../schema/value.ts'
import { whySecretRefused } from '../../values/secret-source.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import { maxDepth } from '../syntax/located.ts'
import type { Report } from '../syntax/parse-document.ts'
import { attributeText, instead, kindOf, referencePath, say } from '../words.ts'
import { fitsText, joinParts, orHole, reach } from './references.ts'
import {
  type Context,
  inside,
  measure,
  once,
  type ReferenceTarget,
  type Scope,
  type Site,
  type Uses,
} from './resolution.ts'
import { type Expression, isSecretForm, type Part, parseTemplate, readSecret } from './template.ts'

export interface Resolver {
  /** A written value with its references and secrets resolved; a hole replaces a value with a reported problem. */
  value(value: Json, path: Path): Json
  /** The same for a spec or a `with`: the object itself is neither a secret nor a mark, whatever members it has. */
  members(value: JsonObject, path: Path, owner?: Address): JsonObject
  /** What the texts of a resource refer to, in order. */
  usesOf(address: Address): Uses
}

/** How many members and characters one value may have after nested references are resolved. */
const maxWeight = 4_000_000

const ofVariable = ({ scope, report }: Context, site: Site, name: string, path: Path): Json | undefined => {
  const { variables } = scope
  if (variables === undefined) return report(site.path, say('variableOfVariable', name))
  if (!variables.has(name))
    return report(site.path, say('noVariable', name, suggest(name, variables.keys(), instead.declareVariable)))
  const value = variables.get(name)
  if (value === undefined) return undefined
  const reached = reach(value, path)
  return reached.kind === 'found'
    ? reached.value
    : report(site.path, say('noMemberOfVariable', name, referencePath(path)))
}

/** A value that only the target knows: an id, a fingerprint. */
const later = ({ report }: Context, site: Site, address: Address, path: Path): Json | undefined =>
  address === site.owner
    ? report(site.path, say('ownAttribute', address, referencePath(path)))
    : { $ref: address, pointer: toPointer(path) }

const ofResource = (context: Context, site: Site, address: Address, path: Path): Json | undefined => {
  const { report, uses } = context
  const { resources } = context.scope
  if (resources === undefined) return report(site.path, say('notInSpec', address))
  const target = resources.get(address)
  if (target === undefined)
    return report(site.path, say('noResource', address, suggest(address, resources.keys(), instead.declare)))
  const owner = site.owner === undefined ? undefined : resources.get(site.owner)
  if (target.absent && address !== site.owner && !owner?.absent)
    return report(site.path, say('absentTarget', attributeText(address, path), address))
  if (site.owner !== undefined && site.owner !== address) {
    const own = uses.get(site.owner) ?? { addresses: new Set(), attributes: new Set() }
    own.addresses.add(address)
    own.attributes.add(String(site.path[owner?.path.length ?? 0]))
    uses.set(site.owner, own)
  }
  return fromSpec(context, site, { address, target, path })
}

interface WantedValue {
  readonly address: Address
  readonly target: ReferenceTarget
  readonly path: Path
}

/** Follows the path through the written spec as far as it is plain; returns the value there, and the number of steps. */
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

const fromSpec = (context: Context, site: Site, { address, target, path }: WantedValue): Json | undefined => {
  const [node, depth] = writtenAt(target.spec, path)
  if (depth === 0) return later(context, site, address, path)
  const there: Site = { path: [...target.path, ...path.slice(0, depth)], owner: address }
  // Texts are a link of the chain themselves, and cached; collections become one here.
  const value = isCollection(node)
    ? once(context, there, () => resolveNode(context, there, node))
    : resolveNode(context, there, node)
  if (value === undefined) return undefined
  const reached = reach(value, path.slice(depth))
  if (reached.kind === 'found') return reached.value
  return reached.kind === 'missing'
    ? later(context, site, address, path)
    : context.report(site.path, say('insideSecret', attributeText(address, path)))
}

const isCollection = (value: Json): boolean => isArray(value) || isObject(value)

const evaluate = (context: Context, site: Site, expression: Expression): Json | undefined => {
  if (expression.kind === 'workspace') return context.scope.workspace
  return expression.kind === 'variable'
    ? ofVariable(context, site, expression.name, expression.path)
    : ofResource(context, site, expression.address, expression.path)
}

const ofPart = (context: Context, site: Site, part: Part): Json | undefined => {
  if ('text' in part) return part.text
  const value = evaluate(context, site, part.expression)
  if (value === undefined || fitsText(value)) return value
  return context.report(site.path, say('notInText', part.written, kindOf(value)))
}

const resolveParts = (context: Context, site: Site, text: string): Json | undefined => {
  const template = parseTemplate(text)
  if ('wrong' in template) return context.report(site.path, template.wrong)
  const [only, second] = template.parts
  const value =
    only !== undefined && second === undefined && 'expression' in only
      ? evaluate(context, site, only.expression)
      : ofParts(template.parts.map((part) => ofPart(context, site, part)))
  if (value === undefined) return undefined
  const { weight, depth } = measure(context.sizes, value)
  return weight <= maxWeight && depth <= maxDepth ? value : context.report(site.path, say('tooLarge'))
}

const ofParts = (parts: readonly (Json | undefined)[]): Json | undefined =>
  parts.every((part) => part !== undefined) ? joinParts(parts) : undefined

const resolveText = (context: Context, site: Site, text: string): Json | undefined => {
  if (context.scope.literal || !text.includes('${')) return text
  const key = toPointer(site.path)
  if (context.texts.has(key)) return context.texts.get(key)
  const value = once(context, site, () => resolveParts(context, site, text))
  context.texts.set(key, value)
  return value
}

const resolveSecret = (context: Context, site: Site, written: string): Json | undefined => {
  const { workspace, secrets } = context.scope
  const { path } = inside(site, 'secret')
  const text = resolveText(context, { ...site, path }, written)
  if (text === undefined || isSecret(text)) return text
  const meaning = typeof text === 'string' ? readSecret(text) : 'plain'
  if (typeof text !== 'string' || meaning === 'plain') return { secret: text }
  const refused = meaning === 'source' ? secrets && whySecretRefused(text, workspace, secrets) : meaning
  return refused === undefined ? { $secret: text } : context.report(path, refused)
}

const resolveMembers = (context: Context, site: Site, written: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(written).map(([key, child]) => {
      const at = inside(site, key)
      if (!context.scope.literal && key.includes('${')) context.report(at.path, say('referenceInKey', key))
      return [key, orHole(resolveNode(context, at, child))]
    }),
  )

const resolveObject = (context: Context, site: Site, written: JsonObject): Json | undefined => {
  if (isSecretForm(written)) return resolveSecret(context, site, written.secret)
  const members = resolveMembers(context, site, written)
  if (!isMark(written)) return members
  if (Object.values(members).some(isUnknown)) context.report(site.path, say('laterInMark'))
  return { $literal: members }
}

const resolveNode = (context: Context, site: Site, value: Json): Json | undefined => {
  if (typeof value === 'string') return resolveText(context, site, value)
  if (isArray(value)) return value.map((child, index) => orHole(resolveNode(context, inside(site, index), child)))
  return isObject(value) ? resolveObject(context, site, value) : value
}

/** Resolves values of one document. Each problem is reported once, at the text that contains the reference. */
export const createResolver = (scope: Scope, report: Report): Resolver => {
  const context: Context = {
    scope,
    report,
    texts: new Map(),
    sizes: new WeakMap(),
    uses: new Map(),
    chain: new Map(),
  }
  return {
    value: (value, path) => resolveNode(context, { path, owner: undefined }, value) ?? null,
    members: (value, path, owner) => resolveMembers(context, { path, owner }, value),
    usesOf: (address) => context.uses.get(address) ?? { addresses: new Set(), attributes: new Set() },
  }
}
