import { toPointer } from '../../json/pointer.ts'
import type { Json, JsonObject, Path, Step } from '../../schema/json.ts'
import type { Address } from '../../schema/resource.ts'
import type { SecretRules } from '../../values/secret-source.ts'
import type { Problems } from '../problems.ts'
import type { ParsedDocument } from '../syntax/parse-document.ts'
import { attributeText, pathText } from '../value-text.ts'

export interface ReferenceTarget {
  /** Where its spec stands in the document. */
  readonly path: Path
  readonly spec: JsonObject
  readonly absent: boolean
}

/** What references may name. */
export interface Scope {
  readonly workspace: string
  /** Which secrets it may name; any when absent. */
  readonly secrets?: SecretRules
  /** `undefined` as a value: it has a problem that was told already. */
  readonly variables?: ReadonlyMap<string, Json | undefined>
  readonly resources?: ReadonlyMap<Address, ReferenceTarget>
}

/** Longer chains are refused; each link takes stack. */
const maxChain = 100
/** Members and characters that one value may come to by references to references. */
export const maxWeight = 4_000_000

/** Where a value stands, and the resource that it belongs to. */
export interface Site {
  readonly path: Path
  readonly owner: Address | undefined
}

interface Size {
  readonly weight: number
  readonly depth: number
}

/** One pass over a document. */
export interface Context {
  readonly scope: Scope
  readonly document: ParsedDocument
  readonly problems: Problems
  readonly texts: Map<string, Json | undefined>
  readonly sizes: WeakMap<object, Size>
  readonly named: Map<Address, Set<Address>>
  /** Attributes of a resource that name others. */
  readonly referring: Map<Address, Set<string>>
  /** What is being resolved right now, by key and with its name for people. */
  readonly chain: Map<string, string>
}

/** Answers `undefined`, so that a resolver can report and give up in one line. */
export const report = (context: Context, site: Site, message: string, fix: string): undefined => {
  context.problems.report(context.document.locate(site.path), message, fix)
  return undefined
}

export const inside = (site: Site, step: Step): Site => ({ path: [...site.path, step], owner: site.owner })

const nameOf = ({ path, owner }: Site): string =>
  owner === undefined ? pathText(path) : attributeText(owner, path.slice(3))

/** Runs `work` unless it is under way already, which is a circle. */
export const once = (context: Context, site: Site, work: () => Json | undefined): Json | undefined => {
  const key = toPointer(site.path)
  if (context.chain.has(key)) {
    const keys = [...context.chain.keys()]
    const names = keys.slice(keys.indexOf(key)).map((each) => context.chain.get(each))
    const circle = [...names, nameOf(site)].join(' -> ')
    return report(context, site, `these values refer to each other in a circle: ${circle}`, 'write one of them out')
  }
  if (context.chain.size >= maxChain) {
    return report(context, site, `a chain of more than ${maxChain} references`, 'refer to a value nearer to its origin')
  }
  context.chain.set(key, nameOf(site))
  const result = work()
  context.chain.delete(key)
  return result
}

/** Parts that several references share are measured once, but count each time. */
export const measure = (context: Context, value: Json): Size => {
  if (typeof value === 'string') return { weight: 1 + value.length, depth: 0 }
  if (typeof value !== 'object' || value === null) return { weight: 1, depth: 0 }
  const known = context.sizes.get(value)
  if (known !== undefined) return known
  const sizes = Object.values(value).map((child: Json) => measure(context, child))
  const size = sizes.reduce(
    (sum, { weight, depth }) => ({ weight: sum.weight + weight, depth: Math.max(sum.depth, depth + 1) }),
    {
      weight: 1,
      depth: 1,
    },
  )
  context.sizes.set(value, size)
  return size
}
