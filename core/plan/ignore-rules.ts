import type { Path } from '../schema/json.ts'
import type { Address } from '../schema/resource.ts'
import type { IgnoreRule } from '../schema/rules.ts'
import { globPattern } from '../values/glob.ts'

/** Why a changed path is left alone, or `undefined`. */
export type Ignoring = (path: Path, destructive: boolean) => string | undefined

/**
 * What is ignored of one resource. Rules cover changes that destroy, or bring back, the object only with
 * `includeDeletes`. `ignoreChanges` stands in the resource itself and also keeps a fixed attribute from replacing it.
 */
export const ignoringFor = (
  address: Address,
  ignoreChanges: readonly string[] | undefined,
  rules: readonly IgnoreRule[],
  today: string,
): Ignoring => {
  const own = (ignoreChanges ?? []).map(pathPattern)
  const applying = rules.filter((rule) => isApplying(rule, address, today))
  if (own.length === 0 && applying.length === 0) return () => undefined
  const patterns = applying.map((rule) => ({ rule, covers: pathPattern(rule.path ?? '') }))
  return (path, destructive) => {
    if (path.length > 0 && own.some((covers) => covers(path))) return 'ignoreChanges'
    const found = patterns.find(({ rule, covers }) => (!destructive || rule.includeDeletes) && covers(path))
    return found && `${found.rule.reason} (${found.rule.owner})`
  }
}

const isApplying = ({ address: pattern, expires }: IgnoreRule, address: Address, today: string): boolean =>
  (expires === undefined || today < expires) && globPattern(pattern)(address)

/** The steps of a written path, each as a test of one step: `a.b`, `rrsets[www.example.org. A].ttl`, `tags[*]`. */
export const rulePath = (text: string): readonly ((step: string) => boolean)[] =>
  [...text.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, key, name]) => globPattern(key ?? name ?? ''))

/** Covers the part that it names and everything inside it. */
const pathPattern = (text: string): ((path: Path) => boolean) => {
  const steps = rulePath(text)
  return (path) => path.length >= steps.length && steps.every((step, index) => step(String(path[index])))
}
