import { toPointer } from '../../json/pointer.ts'
import type { Json, Path, Step } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import { addressWithin } from '../../values/addresses/address.ts'
import type { SecretRules } from '../../values/secret-source.ts'
import type { parseTemplate } from '../expressions/template.ts'
import { attributeText, referencePath, say } from '../shared/words.ts'
import type { Declared, Frame, Lazy } from './frame.ts'

/** What references may use everywhere. */
export interface Scope {
  readonly workspace: string
  /** Which secrets may be used; any if missing. */
  readonly secrets?: SecretRules
  /** Missing before all resources are known, and where no resource can be meant. */
  readonly declared?: Declared
  /** The instances of resources and modules are being counted: no value may depend on one of them. */
  readonly counting?: true
}

/** Longer chains are refused, because each link needs stack. */
const maxChain = 100

/** The place of a value, and the resource that it belongs to. */
export interface Site {
  readonly frame: Frame
  readonly path: Path
  readonly owner: Address | undefined
  /** Collects the resources that a value of no resource refers to. */
  readonly met?: Set<Address>
}

interface Size {
  readonly weight: number
  readonly depth: number
}

/** What a resource refers to, and its attributes that contain the references. */
export interface Uses {
  readonly addresses: Set<Address>
  readonly attributes: Set<string>
}

/** The result of a lazy value, and the resources that it refers to. */
export interface Forced {
  readonly value: Json | undefined
  readonly met: ReadonlySet<Address>
}

/** One pass over a configuration. */
export interface Context {
  readonly scope: Scope
  readonly templates: Map<string, ReturnType<typeof parseTemplate>>
  readonly texts: Map<string, Json | undefined>
  readonly forced: Map<Lazy, Forced>
  readonly sizes: WeakMap<object, Size>
  /** The weight of all resolved values so far, each reference counted. */
  readonly spent: { weight: number }
  readonly uses: Map<Address, Uses>
  /** What is being resolved at the moment, by key and with its name for people. */
  readonly chain: Map<string, string>
}

export const inside = (site: Site, step: Step): Site => ({ ...site, path: [...site.path, step] })

/** Unique for each written value of each instance. */
export const keyOf = ({ frame, path }: Site): string => `${frame.id} ${toPointer(path)}`

const nameOf = ({ frame, path, owner }: Site): string =>
  owner === undefined ? addressWithin(frame.module, referencePath(path)) : attributeText(owner, path.slice(3))

/** Runs `work`, unless it is already running: that is a circle. */
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

/** What a member costs to handle later, in characters. */
const memberWeight = 16

/** Parts that several references share are measured once, but count for each reference. */
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
