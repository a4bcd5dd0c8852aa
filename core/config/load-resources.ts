import type { Json } from '../schema/json.ts'
import { isArray, isObject } from '../schema/json.ts'
import type { Address, DesiredResource, Lifecycle, Position } from '../schema/resource.ts'
import { defined } from '../values/defined.ts'
import { suggest } from '../values/nearest-word.ts'
import { dependsOnNothing } from './missing-resource.ts'
import type { Problems } from './problems.ts'
import { referencesIn } from './references/references.ts'
import type { ReferenceTarget, Scope } from './references/resolution.ts'
import type { Resolver } from './references/resolve-values.ts'
import { createResolver } from './references/resolve-values.ts'
import { namePattern, typePattern } from './shape/shape.ts'
import type { ParsedDocument } from './syntax/parse-document.ts'

/** A resource as written, as far as its shape allows to go on. */
interface Draft extends ReferenceTarget {
  readonly address: Address
  readonly type: string
  readonly name: string
  readonly provider: string
  readonly dependsOn: readonly (readonly [index: number, address: string])[]
  readonly lifecycle: Lifecycle
  readonly position: Position
}

interface Input {
  readonly scope: Scope
  /** As written under `resources`. */
  readonly written: Json | undefined
  readonly aliases: readonly string[]
  readonly document: ParsedDocument
  readonly problems: Problems
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

/** The first of each address; another one of the same address is a problem. */
const byAddress = (drafts: readonly Draft[], { document, problems }: Input): Map<Address, Draft> => {
  const known = new Map<Address, Draft>()
  for (const draft of drafts) {
    const first = known.get(draft.address)
    if (first === undefined) known.set(draft.address, draft)
    else {
      const position = document.locate([...draft.path.slice(0, 2), 'name'])
      const message = `${draft.address} is declared a second time (first in line ${first.position.line})`
      problems.report(position, message, 'give one of the two another name')
    }
  }
  return known
}

const checkProvider = (draft: Draft, { aliases, document, problems }: Input): void => {
  if (draft.provider === '' || aliases.includes(draft.provider)) return
  const position = document.locate([...draft.path.slice(0, 2), 'provider'])
  problems.report(
    position,
    `there is no provider "${draft.provider}"`,
    suggest(draft.provider, aliases, 'declare it under "providers"'),
  )
}

const checkDependencies = (draft: Draft, known: ReadonlyMap<Address, Draft>, { document, problems }: Input): void => {
  for (const [index, address] of draft.dependsOn) {
    const position = document.locate([...draft.path.slice(0, 2), 'dependsOn', index])
    if (address === draft.address) problems.report(position, `${address} depends on itself`, 'remove this line')
    else if (known.get(address)?.absent && !draft.absent) {
      const fix = 'remove this line, or declare this one absent too'
      problems.report(position, `${draft.address} depends on ${address}, which is declared absent`, fix)
    } else if (!known.has(address)) {
      const others = [...known.keys()].filter((each) => each !== draft.address)
      problems.report(position, dependsOnNothing(draft.address, address), suggest(address, others, 'declare it'))
    }
  }
}

const toResource = (draft: Draft, resolver: Resolver): DesiredResource => {
  const { address, type, name, provider, absent, lifecycle, position } = draft
  const attributes = resolver.members(draft.spec, draft.path, address)
  const named = [
    ...draft.dependsOn.map(([, each]) => each),
    ...resolver.namedBy(address),
    ...referencesIn(attributes).map(({ $ref }) => $ref),
  ]
  const dependsOn = [...new Set(named)].filter((each) => each !== address)
  const refersBy = resolver.referringOf(address)
  return {
    address,
    type,
    name,
    provider,
    absent,
    attributes,
    dependsOn,
    ...defined({ refersBy: refersBy.length === 0 ? undefined : refersBy }),
    lifecycle,
    position,
  }
}

/** Every resource with its references resolved as far as configuration alone can. */
export const loadResources = (input: Input): readonly DesiredResource[] => {
  const { document, problems, scope } = input
  const written = isArray(input.written) ? input.written : []
  const drafts = written.flatMap((each, index) => toDraft(each, index, document) ?? [])
  const known = byAddress(drafts, input)
  const resolver = createResolver({ ...scope, resources: known }, document, problems)
  for (const draft of drafts) {
    checkProvider(draft, input)
    checkDependencies(draft, known, input)
  }
  return drafts.map((draft) => toResource(draft, resolver))
}
