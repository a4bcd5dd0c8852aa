import { defined } from '../../values/defined.ts'
import type { TofuResourceAction } from './shapes.ts'
import { elementsOf, identityOf, isMap, memberOf, textOf, type Value } from './value.ts'

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

interface ImportHead {
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

/** `undefined` for what is never shown: ephemeral resources, and what is no resource at all. */
export const readResource = (entry: Value): ResourceHead | undefined => {
  const mode = textOf(memberOf(entry, 'mode')) ?? 'managed'
  if (!isMap(entry) || (mode !== 'managed' && mode !== 'data')) return undefined
  const change = memberOf(entry, 'change')
  const address = textOf(entry.get('address')) ?? ''
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
