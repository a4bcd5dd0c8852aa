import { defined } from '../../../engine/values/defined.ts'
import { elementsOf, isMap, memberOf, textOf, type Value, type ValueMap } from './value.ts'

/** An action of a provider that an apply invokes. */
export interface Invocation {
  readonly address: string
  readonly type: string
  readonly name: string
  /** The resource whose change triggers it, and on which side of the change. */
  readonly trigger?: { readonly address: string; readonly side: 'before' | 'after' }
}

const triggerOf = (entry: Value): Invocation['trigger'] => {
  const trigger = memberOf(entry, 'lifecycle_action_trigger')
  const address = textOf(memberOf(trigger, 'triggering_resource_address'))
  if (address === undefined) return undefined
  const event = textOf(memberOf(trigger, 'action_trigger_event')) ?? ''
  return { address, side: /^before/i.test(event) ? 'before' : 'after' }
}

export const readInvocation = (entry: Value): Invocation => {
  const text = (name: string): string => textOf(memberOf(entry, name)) ?? ''
  const named = { address: text('address'), type: text('type'), name: text('name') }
  return { ...named, ...defined({ trigger: triggerOf(entry) }) }
}

/** The actions of providers that a plan will invoke with their entries, in the order of the document. */
export const readInvocations = (plan: ValueMap): readonly (readonly [Invocation, ValueMap])[] =>
  elementsOf(plan.get('action_invocations'))
    .filter(isMap)
    .map((entry) => [readInvocation(entry), entry] as const)
