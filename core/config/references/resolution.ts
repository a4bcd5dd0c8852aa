import { toPointer } from '../../json/pointer.ts'
import type { Json, JsonObject, Path, Step } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import type { SecretRules } from '../../values/secret-source.ts'
import type { Report } from '../syntax/parse-document.ts'
import { attributeText, referencePath, say } from '../words.ts'

export interface ReferenceTarget {
  /** The path of its spec in the document. */
  readonly path: Path
  readonly spec: JsonObject
  readonly absent: boolean
}

/** What references may use. */
export interface Scope {
  readonly workspace: string
  /** Which secrets may be used; any if missing. */
  readonly secrets?: SecretRules
  /** Texts contain no references, whatever they look like. */
  readonly literal?: true
  /** If a value is `undefined`, its problem is already reported. */
  readonly variables?: ReadonlyMap<string, Json | undefined>
  readonly resources?: ReadonlyMap<Address, ReferenceTarget>
}

/** Longer chains are refused, because each link needs stack. */
const maxChain = 100

/** The path of a value, and the resource that it belongs to. */
export interface Site {
  readonly path: Path
  readonly owner: Address | undefined
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

/** One pass over a document. */
export interface Context {
  readonly scope: Scope
  readonly report: Report
  readonly texts: Map<string, Json | undefined>
  readonly sizes: WeakMap<object, Size>
  readonly uses: Map<Address, Uses>
  /** What is being resolved at the moment, by key and with its name for people. */
  readonly chain: Map<string, string>
}

export const inside = (site: Site, step: Step): Site => ({ path: [...site.path, step], owner: site.owner })

const nameOf = ({ path, owner }: Site): string =>
  owner === undefined ? referencePath(path) : attributeText(owner, path.slice(3))

/** Runs `work`, unless it is already running: that is a circle. */
export const once = ({ chain, report }: Context, site: Site, work: () => Json | undefined): Json | undefined => {
  const key = toPointer(site.path)
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

/** Parts that several references share are measured once, but count for each reference. */
export const measure = (sizes: Context['sizes'], value: Json): Size => {
  if (typeof value === 'string') return { weight: 1 + value.length, depth: 0 }
  if (typeof value !== 'object' || value === null) return { weight: 1, depth: 0 }
  const known = sizes.get(value)
  if (known !== undefined) return known
  let [weight, depth] = [1, 1]
  for (const child of Object.values(value)) {
    const inner = measure(sizes, child)
    weight += inner.weight
    depth = Math.max(depth, inner.depth + 1)
  }
  sizes.set(value, { weight, depth })
  return { weight, depth }
}
