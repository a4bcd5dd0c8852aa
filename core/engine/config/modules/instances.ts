import type { JsonObject, Path } from '../../schema/json.ts'
import { kindOf } from '../../values/words.ts'
import { type Each, type Frame, frameOfEach, type InstanceKeys } from '../references/frame.ts'
import type { Resolver } from '../references/resolve-values.ts'
import { instancesIn } from './for-each.ts'
import { say } from './words.ts'

/** Without forEach there is one instance, `undefined`. */
export type Instance = Each | undefined

export interface Instances {
  readonly enabled: readonly Instance[]
  readonly disabled: readonly Instance[]
}

/** `undefined` if it has a problem, which is reported. */
const isEnabled = (written: JsonObject, path: Path, frame: Frame, resolver: Resolver): boolean | undefined => {
  const at = [...path, 'enabled']
  const value = resolver.value(frame, written['enabled'] ?? null, at)
  if (value === undefined || typeof value === 'boolean') return value
  return frame.report(at, say('notEnabled', kindOf(value)))
}

/** What does not name `each` is the same for all instances, of which there may be many: one is asked. */
const judgeOf = (
  { enabled }: JsonObject,
  judge: (each: Instance) => boolean | undefined,
): ((each: Instance) => boolean | undefined) => {
  if (JSON.stringify(enabled).includes('each')) return judge
  let judged: readonly [boolean | undefined] | undefined
  return (each) => {
    judged ??= [judge(each)]
    return judged[0]
  }
}

/** What `forEach` and `enabled` of a resource or a call make; `undefined` if one has a problem, which is reported. */
export const instancesOf = (
  written: JsonObject,
  { path, frame, local }: { readonly path: Path; readonly frame: Frame; readonly local: string },
  resolver: Resolver,
): Instances | undefined => {
  const all = Object.hasOwn(written, 'forEach')
    ? instancesIn(written['forEach'] ?? null, [...path, 'forEach'], frame, resolver)
    : [undefined]
  if (all === undefined || !Object.hasOwn(written, 'enabled')) return all && { enabled: all, disabled: [] }
  const judged = Map.groupBy(
    all,
    judgeOf(written, (each) => isEnabled(written, path, frameOf(frame, local, each), resolver)),
  )
  if (judged.has(undefined)) return undefined
  return { enabled: judged.get(true) ?? [], disabled: judged.get(false) ?? [] }
}

/** The frame of one instance of a resource or a call. */
export const frameOf = (frame: Frame, local: string, each: Instance): Frame =>
  each === undefined ? frame : frameOfEach(frame, `${local} ${each.key}`, each)

/** The keys of all instances, also of those that are switched off. */
export const groupOf = (written: JsonObject, instances: Instances | undefined): InstanceKeys => {
  const all = instances === undefined ? [] : [...instances.enabled, ...instances.disabled]
  return {
    keys: Object.hasOwn(written, 'forEach') ? new Set(all.map((each) => each?.key ?? '')) : undefined,
    broken: instances === undefined,
  }
}
