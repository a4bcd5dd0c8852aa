import { defined } from '../../../engine/values/defined.ts'
import type { TofuDocument } from './load-document.ts'
import type { TofuMode, TofuResourceAction } from './shapes.ts'
import { elementsOf, identityOf, isMap, memberOf, textOf, type Value } from './value.ts'
import { resourceAddress } from './why-unread.ts'

/** One entry of the plan, without its diff. */
export interface ResourceHead {
  readonly address: string
  readonly previousAddress?: string
  readonly moduleAddress?: string
  readonly mode: 'managed' | 'data'
  readonly type: string
  readonly name: string
  /** As JSON text. */
  readonly index?: string
  readonly deposed?: string
  readonly action: TofuResourceAction
  /** `action_reason`, an open set. */
  readonly reason?: string
  readonly importing?: ImportHead
  readonly provider: string
  readonly change: Value | undefined
}

export interface ImportHead {
  readonly id?: string
  readonly identity?: Value
  /** The configuration was generated for it. */
  readonly generated: boolean
}

const actions: Readonly<Record<string, TofuResourceAction>> = {
  'no-op': 'no-op',
  create: 'create',
  read: 'read',
  update: 'update',
  delete: 'delete',
  forget: 'forget',
  'delete,create': 'delete-create',
  'create,delete': 'create-delete',
  'forget,create': 'forget-create',
  'create,forget': 'create-forget',
}

const readAction = (value: Value | undefined): TofuResourceAction => {
  const words = elementsOf(value).join(',')
  return (Object.hasOwn(actions, words) ? actions[words] : undefined) ?? 'unknown'
}

const readImport = (change: Value | undefined): ImportHead | undefined => {
  const importing = memberOf(change, 'importing')
  if (!isMap(importing)) return undefined
  const identity = importing.get('identity') ?? null
  return {
    ...optional('id', textOf(importing.get('id'))),
    ...defined({ identity: identity ?? undefined }),
    generated: (textOf(memberOf(change, 'generated_config')) ?? '') !== '',
  }
}

/** Empty texts count as none. */
const optional = <Key extends string>(key: Key, text: string | undefined): { readonly [K in Key]?: string } =>
  text === undefined || text === '' ? {} : ({ [key]: text } as { readonly [K in Key]?: string })

/** `undefined` for entries that are never shown: ephemeral resources, and entries that are not resources. */
export const readResource = (entry: Value): ResourceHead | undefined => {
  const mode = textOf(memberOf(entry, 'mode')) ?? 'managed'
  if (!isMap(entry) || (mode !== 'managed' && mode !== 'data')) return undefined
  const change = memberOf(entry, 'change')
  const address = resourceAddress(entry)
  const previous = textOf(entry.get('previous_address'))
  const index = entry.get('index') ?? null
  const importing = readImport(change)
  return {
    address,
    ...(previous === address ? {} : optional('previousAddress', previous)),
    ...optional('moduleAddress', textOf(entry.get('module_address'))),
    mode,
    type: textOf(entry.get('type')) ?? '',
    name: textOf(entry.get('name')) ?? '',
    ...defined({ index: index === null ? undefined : identityOf(index) }),
    ...optional('deposed', textOf(entry.get('deposed'))),
    action: readAction(memberOf(change, 'actions')),
    ...optional('reason', textOf(entry.get('action_reason'))),
    ...defined({ importing }),
    provider: textOf(entry.get('provider_name')) ?? '',
    change,
  }
}

/** One object of a state, without its diff. */
export interface StateHead extends Pick<ResourceHead, 'address' | 'mode' | 'type' | 'name' | 'deposed' | 'provider'> {
  readonly tainted: boolean
  readonly values: Value
  readonly sensitive: Value
}

/** `undefined` for objects that are never shown. */
export const readStateObject = (entry: Value): StateHead | undefined => {
  const mode = textOf(memberOf(entry, 'mode')) ?? 'managed'
  if (mode !== 'managed' && mode !== 'data') return undefined
  const text = (name: string): string => textOf(memberOf(entry, name)) ?? ''
  return {
    address: resourceAddress(entry),
    mode,
    type: text('type'),
    name: text('name'),
    ...optional('deposed', text('deposed_key')),
    tainted: memberOf(entry, 'tainted') === true,
    provider: text('provider_name'),
    values: memberOf(entry, 'values') ?? new Map(),
    sensitive: memberOf(entry, 'sensitive_values') ?? null,
  }
}

/**
 * How a plan was made, which the plan does not state. A refresh-only plan has no planned values, not even for unchanged
 * resources. A destroy plan deletes all resources without a reason, because no configuration causes it.
 */
export const guessMode = (
  { changes, unchanged, drift, hasManaged }: TofuDocument,
  shown: readonly Pick<ResourceHead, 'action' | 'reason' | 'deposed'>[],
): TofuMode => {
  if (changes.length + unchanged === 0) return hasManaged || drift.length > 0 ? 'refresh-only' : 'normal'
  const destroys = shown.every(
    ({ action, reason, deposed }) => action === 'delete' && reason === undefined && deposed === undefined,
  )
  return destroys && shown.length > 0 && unchanged === 0 ? 'destroy' : 'normal'
}
