import type { ReadDeps } from '../../../../engine/provider/provider.ts'
import type { ResolvedReferences } from '../../../../engine/provider/references.ts'
import type { JsonObject } from '../../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../../engine/schema/resource.ts'
import { mapMembers } from '../../../../engine/values/members.ts'
import { withRules } from '../../document/defaults.ts'
import { callerKey, ownedBy } from '../../document/me.ts'
import { callerIn, type TypeContext } from '../../request/context.ts'
import type { AskMe } from './ask-me.ts'

/** A type with its caller: the one in `refs`, which a record may contain, else the current one. */
export type ForCaller = (deps: ReadDeps, refs?: JsonObject) => Promise<TypeContext | UnknownResult>

export const isUnknown = (found: TypeContext | UnknownResult): found is UnknownResult => 'kind' in found

/** `ask`: absent for a type that does not name the caller. */
export const forCaller = (context: TypeContext, ask: AskMe | undefined): ForCaller => {
  const filled = new Map<string, TypeContext>()
  const contextOf = (me: JsonObject): TypeContext => {
    const key = JSON.stringify(me)
    const known = filled.get(key) ?? filledFor(context, me)
    filled.set(key, known)
    return known
  }
  return async (deps, refs) => {
    if (ask === undefined) return context
    const me = callerIn(refs)
    if (me !== undefined) return contextOf(me)
    const asked = await ask(deps)
    return asked.kind === 'known' ? contextOf(asked.as) : asked
  }
}

const filledFor = (context: TypeContext, me: JsonObject): TypeContext => {
  const types = mapMembers(context.types ?? {}, (type) => withRules(type, 'me', me))
  const resource = withRules(context.resource, 'me', me)
  return { ...context, me, types, resource, owned: ownedBy(context.resource, resource) }
}

/** The caller is kept beside the resolved references: for requests, and for the record. */
export const withCaller = (found: ResolvedReferences, { me }: TypeContext): ResolvedReferences =>
  found.kind === 'resolved' && me !== undefined ? { ...found, refs: { ...found.refs, [callerKey]: me } } : found
