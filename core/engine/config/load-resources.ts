import type { Issue } from '../schema/issue.ts'
import type { Path } from '../schema/json.ts'
import type { Address, DesiredResource } from '../schema/resource.ts'
import { addressWithin, canonicalAddress, isWithin } from '../values/addresses/address.ts'
import { defined } from '../values/defined.ts'
import { suggest } from '../values/texts/nearest-word.ts'
import { referencesIn } from './expressions/references.ts'
import type { NamedFiles } from './files/named-files.ts'
import type { ResourceDraft } from './modules/draft.ts'
import { expand } from './modules/expand.ts'
import type { ConfigurationPart, Expanded, Rename } from './modules/expansion.ts'
import type { FindSource, ForeignFacts } from './modules/foreign.ts'
import { say as sayOfModules } from './modules/words.ts'
import type { Scope } from './references/resolution.ts'
import { createResolver, type Resolver } from './references/resolve-values.ts'
import { instead, say } from './shared/words.ts'

interface ResourcesInput {
  readonly scope: Scope
  readonly parts: readonly ConfigurationPart[]
  readonly aliases: readonly string[]
  readonly files: NamedFiles
  readonly issues: Issue[]
  readonly rename?: Rename | undefined
  readonly findSource: FindSource
}

export interface LoadedResources {
  readonly resources: readonly DesiredResource[]
  readonly drafts: ReadonlyMap<Address, ResourceDraft>
  readonly facts: readonly ForeignFacts[]
  /** Addresses of resources and modules that are switched off. */
  readonly disabled: ReadonlySet<string>
}

const memberOf = ({ path }: ResourceDraft, ...steps: Path): Path => [...path.slice(0, 2), ...steps]

const checkProvider = (draft: ResourceDraft, aliases: readonly string[]): void => {
  const { provider, frame } = draft
  if (provider === '' || aliases.includes(provider)) return
  const fix = suggest(provider, aliases, instead.declareProvider)
  frame.report(memberOf(draft, 'provider'), say('noProvider', provider, fix))
}

/** A graph with more edges needs more memory than a function has. */
const maxEdges = 2_000_000

/** Resolves an address in `dependsOn`: a resource, all instances of a resource, or all resources of a module. */
const finderIn = ({ drafts, declared }: Expanded) => {
  const byBase = Map.groupBy(drafts, ({ base }) => base)
  const inModules = new Map<string, readonly ResourceDraft[]>()
  const inModule = (named: string): readonly ResourceDraft[] => {
    const known = inModules.get(named) ?? drafts.filter(({ address }) => isWithin(address, named))
    inModules.set(named, known)
    return known
  }
  return (named: string): readonly ResourceDraft[] | undefined => {
    const one = declared.resources.get(named)
    if (one !== undefined) return [one]
    // What is switched off has nothing to wait for.
    if (declared.disabled.has(named)) return []
    if (declared.resourceGroups.has(named)) return byBase.get(named) ?? []
    return declared.moduleGroups.has(named) || declared.modules.has(named) ? inModule(named) : undefined
  }
}

const dependenciesOf = (expanded: Expanded): ((draft: ResourceDraft) => readonly Address[]) => {
  const find = finderIn(expanded)
  let edges = 0
  const ofOne = (draft: ResourceDraft, [index, written]: ResourceDraft['dependsOn'][number]): readonly Address[] => {
    const { frame, address, absent } = draft
    const { report, module, names } = frame
    const path = memberOf(draft, 'dependsOn', index)
    const named = addressWithin(module, canonicalAddress(written))
    const found = find(named)
    if (found === undefined) {
      const others = [...names.resources].filter((each) => addressWithin(module, each) !== address)
      report(path, say('noResource', named, suggest(written, others, instead.declare)))
      return []
    }
    const gone = absent ? undefined : found.find((each) => each.absent)
    const rule = found.find((each) => each.forAll !== undefined)
    if (rule !== undefined) report(path, say('ruleIsNoObject', rule.address))
    else if (found.includes(draft)) report(path, say('dependsOnItself', address))
    else if (gone !== undefined) report(path, say('dependsOnAbsent', address, gone.address))
    if (edges <= maxEdges && edges + found.length > maxEdges) report(path, sayOfModules('tooManyEdges', maxEdges))
    edges += found.length
    return edges > maxEdges ? [] : found.map((each) => each.address)
  }
  return (draft) => draft.dependsOn.flatMap((each) => ofOne(draft, each))
}

const toResource = (draft: ResourceDraft, named: readonly Address[], resolver: Resolver): DesiredResource => {
  const { path, spec, dependsOn: _, frame, base: __, forAll, ...resource } = draft
  const { address } = draft
  const attributes = resolver.members(frame, spec, path, address)
  const { addresses, attributes: referring } = resolver.usesOf(address)
  const all = [...named, ...addresses, ...referencesIn(attributes).map(({ $ref }) => $ref)]
  const conditionsIn = (key: 'where' | 'except') =>
    (forAll?.[key] ?? []).map((each) => resolver.members(frame, { ...each }, memberOf(draft, 'forAll', key)))
  return {
    ...resource,
    ...defined({ forAll: forAll && { ...forAll, where: conditionsIn('where'), except: conditionsIn('except') } }),
    attributes,
    // Sorted, because the order of keys in a file must not change what is planned or recorded.
    dependsOn: [...new Set(all)].filter((each) => each !== address).sort(),
    ...defined({ refersBy: referring.size === 0 ? undefined : [...referring].sort() }),
  }
}

export const loadResources = ({
  scope,
  parts,
  aliases,
  files,
  issues,
  rename = (draft) => draft,
  findSource,
}: ResourcesInput): LoadedResources => {
  const expanded = expand(parts, { scope, files, issues, rename, findSource })
  const { drafts, declared, facts } = expanded
  const resolver = createResolver({ ...scope, declared })
  const dependencies = dependenciesOf(expanded)
  for (const draft of drafts) checkProvider(draft, aliases)
  const resources = drafts.map((draft) => toResource(draft, dependencies(draft), resolver))
  for (const { parameters, outputs } of declared.modules.values()) {
    for (const each of [...parameters.values(), ...outputs.values()]) if ('written' in each) resolver.check(each)
  }
  return { resources, drafts: declared.resources, facts, disabled: declared.disabled }
}

/** True if an issue only says that one of these addresses does not exist, which is a consequence if a type is wrong. */
export const isAboutMissing = ({ code, message }: Issue, addresses: ReadonlySet<Address>): boolean =>
  code === 'noResource' && [...addresses].some((address) => isTold(message, say('noResource', address, '').message))

/** The message may end with the number of other instances that have the same problem. */
const isTold = (message: string, expected: string): boolean =>
  message === expected || message.startsWith(`${expected} (`)
