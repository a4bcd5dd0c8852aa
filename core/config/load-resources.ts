import type { Issue } from '../schema/issue.ts'
import { isArray, isObject, type Json, type Path } from '../schema/json.ts'
import type { Address, DesiredResource, Lifecycle } from '../schema/resource.ts'
import type { Move } from '../schema/rules.ts'
import { defined } from '../values/defined.ts'
import { suggest } from '../values/texts/nearest-word.ts'
import { referencesIn } from './references/references.ts'
import type { ReferenceTarget, Scope } from './references/resolution.ts'
import { createResolver, type Resolver } from './references/resolve-values.ts'
import { namePattern, typePattern } from './shape/shape.ts'
import type { ParsedDocument, Report } from './syntax/parse-document.ts'
import { instead, say } from './words.ts'

/** A resource as written, as far as its shape is readable. */
interface Draft extends ReferenceTarget, Omit<DesiredResource, 'attributes' | 'dependsOn' | 'refersBy'> {
  readonly dependsOn: readonly (readonly [index: number, address: string])[]
}

interface ResourcesInput {
  readonly scope: Scope
  /** The value as written under `resources`. */
  readonly written: Json | undefined
  readonly aliases: readonly string[]
  readonly document: ParsedDocument
  readonly report: Report
}

const toDraft = (written: Json, index: number, document: ParsedDocument): Draft | undefined => {
  if (!isObject(written)) return undefined
  const { type, name, spec, dependsOn, provider, lifecycle } = written
  if (typeof type !== 'string' || typeof name !== 'string') return undefined
  if (!typePattern.test(type) || !namePattern.test(name)) return undefined
  const named = isArray(dependsOn) ? [...dependsOn.entries()] : []
  return {
    address: `${type}.${name}`,
    type,
    name,
    path: ['resources', index, 'spec'],
    spec: isObject(spec) ? spec : {},
    absent: written['absent'] === true,
    provider: typeof provider === 'string' ? provider : '',
    dependsOn: named.filter((each): each is [number, string] => typeof each[1] === 'string'),
    lifecycle: isObject(lifecycle) ? (lifecycle as Lifecycle) : {},
    position: document.locate(['resources', index]),
  }
}

/** The first resource of each address; another one with the same address is a problem. */
const byAddress = (drafts: readonly Draft[], { report }: ResourcesInput): Map<Address, Draft> => {
  const known = new Map<Address, Draft>()
  for (const draft of drafts) {
    const first = known.get(draft.address)
    if (first === undefined) known.set(draft.address, draft)
    else report(memberOf(draft, 'name'), say('declaredTwice', draft.address, first.position.line))
  }
  return known
}

/** The path of a member beside `spec`. */
const memberOf = ({ path }: Draft, ...steps: Path): Path => [...path.slice(0, 2), ...steps]

const checkProvider = (draft: Draft, { aliases, report }: ResourcesInput): void => {
  const { provider } = draft
  if (provider === '' || aliases.includes(provider)) return
  const fix = suggest(provider, aliases, instead.declareProvider)
  report(memberOf(draft, 'provider'), say('noProvider', provider, fix))
}

const checkDependencies = (draft: Draft, known: ReadonlyMap<Address, Draft>, { report }: ResourcesInput): void => {
  for (const [index, address] of draft.dependsOn) {
    const path = memberOf(draft, 'dependsOn', index)
    if (address === draft.address) report(path, say('dependsOnItself', address))
    else if (known.get(address)?.absent && !draft.absent) report(path, say('dependsOnAbsent', draft.address, address))
    else if (!known.has(address)) {
      const others = [...known.keys()].filter((each) => each !== draft.address)
      report(path, say('noResource', address, suggest(address, others, instead.declare)))
    }
  }
}

const toResource = (draft: Draft, resolver: Resolver): DesiredResource => {
  const { path, spec, dependsOn: named, ...resource } = draft
  const { address } = draft
  const attributes = resolver.members(spec, path, address)
  const { addresses, attributes: referring } = resolver.usesOf(address)
  const all = [...named.map(([, each]) => each), ...addresses, ...referencesIn(attributes).map(({ $ref }) => $ref)]
  return {
    ...resource,
    attributes,
    dependsOn: [...new Set(all)].filter((each) => each !== address),
    ...defined({ refersBy: referring.size === 0 ? undefined : [...referring] }),
  }
}

/** Every resource, with its references resolved as far as the configuration alone allows. */
export const loadResources = (input: ResourcesInput): readonly DesiredResource[] => {
  const { document, report, scope } = input
  const written = isArray(input.written) ? input.written : []
  const drafts = written.flatMap((each, index) => toDraft(each, index, document) ?? [])
  const known = byAddress(drafts, input)
  const resolver = createResolver({ ...scope, resources: known }, report)
  for (const draft of drafts) {
    checkProvider(draft, input)
    checkDependencies(draft, known, input)
  }
  return drafts.map((draft) => toResource(draft, resolver))
}

/** Whether an issue only says that one of these addresses does not exist. If a type is wrong, that is a consequence. */
export const isAboutMissing = ({ code, message }: Issue, addresses: ReadonlySet<Address>): boolean =>
  code === 'noResource' && [...addresses].some((address) => message === say('noResource', address, '').message)

/** The renamed addresses. Each leads to a declared resource in the end, and no declared address is the source of a move. */
export const loadMoves = (
  written: Json | undefined,
  resources: readonly DesiredResource[],
  report: Report,
): readonly Move[] => {
  const moves = (isArray(written) ? written : []).flatMap((each, index) => toMove(each, index) ?? [])
  const declared = new Set(resources.map(({ address }) => address))
  const next = new Map<string, string>()
  for (const { from, to, index } of moves) {
    const first = next.get(from)
    if (from === to) report(['moved', index, 'to'], say('movesToItself', from))
    else if (declared.has(from)) report(['moved', index, 'from'], say('movesDeclared', from))
    else if (first !== undefined) report(['moved', index, 'from'], say('movesTwice', from, first))
    else next.set(from, to)
  }
  for (const { to, index } of moves) {
    if (declared.has(to) || next.has(to)) continue
    report(['moved', index, 'to'], say('noResource', to, suggest(to, declared, instead.moveElsewhere)))
  }
  return moves.map(({ from, to }) => ({ from, to }))
}

const toMove = (written: Json, index: number): (Move & { readonly index: number }) | undefined => {
  if (!isObject(written)) return undefined
  const { from, to } = written
  return typeof from === 'string' && typeof to === 'string' ? { from, to, index } : undefined
}
