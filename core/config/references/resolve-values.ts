import { toPointer } from '../../json/pointer.ts'
import type { Json, JsonObject, Path } from '../../schema/json.ts'
import { isArray, isObject } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { isMark, isSecret, isUnknown } from '../../schema/value.ts'
import { suggest } from '../../values/nearest-word.ts'
import { whySecretRefused } from '../../values/secret-source.ts'
import { noResource } from '../missing-resource.ts'
import type { Problems } from '../problems.ts'
import { maxDepth } from '../syntax/located.ts'
import type { ParsedDocument } from '../syntax/parse-document.ts'
import { attributeText, kindOf, pathText } from '../value-text.ts'
import { orHole } from './hole.ts'
import { fitsText, joinParts } from './join-parts.ts'
import { childOf, reach } from './reach.ts'
import type { Context, ReferenceTarget, Scope, Site } from './resolution.ts'
import { inside, maxWeight, measure, once, report } from './resolution.ts'
import { isSecretForm, readSecret } from './secret-form.ts'
import type { Expression, Part } from './template.ts'
import { parseTemplate } from './template.ts'

export interface Resolver {
  /** A written value with its references and secrets resolved; a hole stands where a problem was reported. */
  value(value: Json, path: Path): Json
  /** The same for a spec or a `with`: the object itself is neither a secret nor a mark, whatever its members are. */
  members(value: JsonObject, path: Path, owner?: Address): JsonObject
  /** Resources that the texts of this one name, in order. */
  namedBy(address: Address): readonly Address[]
  /** Its attributes that do. */
  referringOf(address: Address): readonly string[]
}

const ofVariable = (context: Context, site: Site, name: string, path: Path): Json | undefined => {
  const { variables } = context.scope
  if (variables === undefined) {
    return report(context, site, `the default of a variable cannot refer to variable "${name}"`, 'write the value out')
  }
  if (!variables.has(name)) {
    return report(
      context,
      site,
      `there is no variable "${name}"`,
      suggest(name, variables.keys(), 'declare it under "variables"'),
    )
  }
  const value = variables.get(name)
  if (value === undefined) return undefined
  const reached = reach(value, path)
  return reached.kind === 'found'
    ? reached.value
    : report(
        context,
        site,
        `variable "${name}" has no ${pathText(path)}`,
        'correct the path, or add the member to its value',
      )
}

/** A value that only the target itself will tell: an id, a fingerprint. */
const later = (context: Context, site: Site, address: Address, path: Path): Json | undefined => {
  if (address === site.owner) {
    return report(
      context,
      site,
      `${address} refers to its own ${pathText(path)}, which is not written`,
      'write the attribute, or refer to another resource',
    )
  }
  return { $ref: address, pointer: toPointer(path) }
}

const ofResource = (context: Context, site: Site, address: Address, path: Path): Json | undefined => {
  const { resources } = context.scope
  const target = resources?.get(address)
  if (resources === undefined) {
    return report(context, site, `only the spec of a resource can refer to ${address}`, 'use a variable here')
  }
  if (target === undefined) {
    return report(context, site, noResource(address), suggest(address, resources.keys(), 'declare it'))
  }
  if (target.absent && address !== site.owner && resources.get(site.owner ?? '')?.absent !== true) {
    return report(
      context,
      site,
      `${attributeText(address, path)} is about nothing: ${address} is declared absent`,
      'refer to a resource that shall exist, or declare this one absent too',
    )
  }
  if (site.owner !== undefined && site.owner !== address) {
    context.named.set(site.owner, (context.named.get(site.owner) ?? new Set()).add(address))
    const attribute = String(site.path[resources.get(site.owner)?.path.length ?? 0])
    context.referring.set(site.owner, (context.referring.get(site.owner) ?? new Set()).add(attribute))
  }
  return fromSpec(context, site, { address, target, path })
}

interface Wanted {
  readonly address: Address
  readonly target: ReferenceTarget
  readonly path: Path
}

/** Walks the written spec as far as it is plain: what stands there, and how many steps that took. */
const writtenAt = (spec: JsonObject, path: Path): readonly [node: Json, depth: number] => {
  let node: Json = spec
  let depth = 0
  for (const step of path) {
    const child: Json | undefined = depth > 0 && isSecretForm(node) ? undefined : childOf(node, step)
    if (child === undefined) break
    node = child
    depth += 1
  }
  return [node, depth]
}

const fromSpec = (context: Context, site: Site, { address, target, path }: Wanted): Json | undefined => {
  const [node, depth] = writtenAt(target.spec, path)
  if (depth === 0) return later(context, site, address, path)
  const there: Site = { path: [...target.path, ...path.slice(0, depth)], owner: address }
  // Texts are their own step of a chain, and cached; collections are entered here.
  const value = isCollection(node)
    ? once(context, there, () => resolveNode(context, there, node))
    : resolveNode(context, there, node)
  if (value === undefined) return undefined
  const reached = reach(value, path.slice(depth))
  if (reached.kind === 'found') return reached.value
  return reached.kind === 'missing'
    ? later(context, site, address, path)
    : report(context, site, `${attributeText(address, path)} reaches into a secret`, 'refer to the secret as a whole')
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
  return report(
    context,
    site,
    `${part.written} is ${kindOf(value)} and cannot stand inside a text`,
    'use it as the whole value, or refer to a member of it',
  )
}

const resolveParts = (context: Context, site: Site, text: string): Json | undefined => {
  const template = parseTemplate(text)
  if (!template.ok) return report(context, site, template.message, template.fix)
  const [only, second] = template.parts
  const whole = only !== undefined && second === undefined && 'expression' in only
  const parts = whole ? [] : template.parts.map((part) => ofPart(context, site, part))
  const value = whole
    ? evaluate(context, site, only.expression)
    : parts.every((part) => part !== undefined)
      ? joinParts(parts)
      : undefined
  if (value === undefined) return undefined
  const { weight, depth } = measure(context, value)
  return weight <= maxWeight && depth <= maxDepth
    ? value
    : report(context, site, 'the references add up to a value that is too large or too deep', 'repeat less')
}

const resolveText = (context: Context, site: Site, text: string): Json | undefined => {
  if (!text.includes('${')) return text
  const key = toPointer(site.path)
  if (context.texts.has(key)) return context.texts.get(key)
  const value = once(context, site, () => resolveParts(context, site, text))
  context.texts.set(key, value)
  return value
}

const allowed = (context: Context, site: Site, source: string, mark: Json): Json | undefined => {
  const { workspace, secrets } = context.scope
  const refusal = secrets === undefined ? undefined : whySecretRefused(source, workspace, secrets)
  return refusal === undefined ? mark : report(context, site, refusal.message, refusal.fix)
}

const resolveSecret = (context: Context, site: Site, written: string): Json | undefined => {
  const secret = inside(site, 'secret')
  const text = resolveText(context, secret, written)
  if (text === undefined || isSecret(text)) return text
  if (typeof text !== 'string') return { secret: text }
  const reading = readSecret(text)
  if (reading.kind === 'mark') return allowed(context, secret, text, reading.mark)
  return reading.kind === 'plain'
    ? { secret: text }
    : report(context, secret, 'this is not a secret reference', reading.fix)
}

const resolveMembers = (context: Context, site: Site, written: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(written).map(([key, child]) => {
      const at = inside(site, key)
      if (key.includes('${'))
        report(context, at, `the key ${JSON.stringify(key)} holds a reference`, 'write the key out')
      return [key, orHole(resolveNode(context, at, child))]
    }),
  )

const resolveObject = (context: Context, site: Site, written: JsonObject): Json | undefined => {
  if (isSecretForm(written)) return resolveSecret(context, site, written.secret)
  const members = resolveMembers(context, site, written)
  if (!isMark(written)) return members
  if (Object.values(members).some(isUnknown)) {
    report(
      context,
      site,
      'a mapping with a member such as "$ref" cannot hold values that are known only later',
      'write them out',
    )
  }
  return { $literal: members }
}

const resolveNode = (context: Context, site: Site, value: Json): Json | undefined => {
  if (typeof value === 'string') return resolveText(context, site, value)
  if (isArray(value)) return value.map((child, index) => orHole(resolveNode(context, inside(site, index), child)))
  return isObject(value) ? resolveObject(context, site, value) : value
}

/** Resolves values of one document. Problems are reported once each, at the text that holds the reference. */
export const createResolver = (scope: Scope, document: ParsedDocument, problems: Problems): Resolver => {
  const context: Context = {
    scope,
    document,
    problems,
    texts: new Map(),
    sizes: new WeakMap(),
    named: new Map(),
    referring: new Map(),
    chain: new Map(),
  }
  return {
    value: (value, path) => resolveNode(context, { path, owner: undefined }, value) ?? null,
    members: (value, path, owner) => resolveMembers(context, { path, owner }, value),
    namedBy: (address) => [...(context.named.get(address) ?? [])],
    referringOf: (address) => [...(context.referring.get(address) ?? [])],
  }
}
