import { toPointer } from '../../json/pointer.ts'
import type { Json, Path, Step } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { addressWithin } from '../../values/addresses/address.ts'
import type { SecretRules } from '../../values/secret-source.ts'
import type { parseTemplate } from '../expressions/template.ts'
import { attributeText, referencePath, say } from '../shared/words.ts'
import type { Declared, Frame, Lazy } from './frame.ts'

export interface Scope {
  readonly workspace: string
  /** Limits which secrets may be used; absent: any. */
  readonly secrets?: SecretRules
  /** Absent before all resources are known, and where no resource may be used. */
  readonly declared?: Declared
  /** Instances are being counted, so no value may depend on a resource or module. */
  readonly counting?: true
}

/** Longer chains of references are refused, because each link needs stack. */
const maxChain = 100

export interface Site {
  readonly frame: Frame
  readonly path: Path
  readonly owner: Address | undefined
  /** Collects the resources that a lazy value refers to. */
  readonly met?: Set<Address>
}

interface Size {
  readonly weight: number
  readonly depth: number
}

export interface Uses {
  readonly addresses: Set<Address>
  readonly attributes: Set<string>
}

export interface Forced {
  readonly value: Json | undefined
  readonly met: ReadonlySet<Address>
}

export interface Context {
  readonly scope: Scope
  readonly templates: Map<string, ReturnType<typeof parseTemplate>>
  readonly texts: Map<string, Json | undefined>
  readonly forced: Map<Lazy, Forced>
  readonly sizes: WeakMap<object, Size>
  /** Weight of all resolved values so far; a shared value counts for each reference. */
  readonly spent: { weight: number }
  readonly uses: Map<Address, Uses>
  /** The values that are being resolved now: key and display name. */
  readonly chain: Map<string, string>
}

export const inside = (site: Site, step: Step): Site => ({ ...site, path: [...site.path, step] })

export const keyOf = ({ frame, path }: Site): string => `${frame.id} ${toPointer(path)}`

const nameOf = ({ frame, path, owner }: Site): string =>
  owner === undefined ? addressWithin(frame.module, referencePath(path)) : attributeText(owner, path.slice(3))

export const once = ({ chain }: Context, site: Site, work: () => Json | undefined): Json | undefined => {
  const { report } = site.frame
  const key = keyOf(site)
  if (chain.has(key)) {
    const names = [...chain].slice([...chain.keys()].indexOf(key)).map(([, name]) => name)
    return report(site.path, say('circle', [...names, nameOf(site)]))
  }
  if (chain.size >= maxChain) return report(site.path, say('longChain', maxChain))
  chain.set(key, nameOf(site))
  const result = work()
  chain.delete(key)
  return result
}

/** Characters that each member adds to the weight. */
const memberWeight = 16

/** A shared part is measured once but counts for each reference. */
export const measure = (sizes: Context['sizes'], value: Json): Size => {
  if (typeof value === 'string') return { weight: memberWeight + value.length, depth: 0 }
  if (typeof value !== 'object' || value === null) return { weight: memberWeight, depth: 0 }
  const known = sizes.get(value)
  if (known !== undefined) return known
  let [weight, depth] = [memberWeight, 1]
  for (const child of Object.values(value)) {
    const inner = measure(sizes, child)
    weight += inner.weight
    depth = Math.max(depth, inner.depth + 1)
  }
  sizes.set(value, { weight, depth })
  return { weight, depth }
}
