import type { ForeignResource } from '../../../engine/config/modules/foreign.ts'
import type { Path } from '../../../engine/schema/json.ts'
import type { Lifecycle } from '../../../engine/schema/resource.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { Organisation } from '../shape/organisation.ts'
import { type AddressName, addressOf } from '../values/address-name.ts'
import { readSecretValue } from '../values/secret-value.ts'
import type { FieldMap, Mapped } from './fields.ts'
import type { Given } from './given.ts'

/** A resource before it is known which others there are. */
export interface Draft {
  readonly type: string
  readonly at: AddressName
  readonly path: Path
  readonly mapped: Mapped
  /** Addresses that come first, if the file declares them. */
  readonly needs?: readonly string[]
  readonly lifecycle?: Lifecycle
  /** The object must not exist. */
  readonly absent?: true
}

/** What every part of a mapping uses. */
export interface Scope {
  readonly organisation: Organisation
  readonly secrets: NonNullable<Given['secrets']>
}

/** The attribute of a secret text: where its value comes from; none if something else gives it its value. */
export const secretField =
  ({ secrets }: Scope) =>
  (from: string, to: string, part: object): readonly FieldMap[] => {
    const text = (part as Readonly<Record<string, unknown>>)[from]
    if (text === null) return [{ from, to }]
    const source = typeof text === 'string' ? sourceOf(text, secrets) : undefined
    return source === undefined ? [] : [{ from, to, as: () => ({ secret: source }) }]
  }

const sourceOf = (text: string, secrets: Scope['secrets']): string | undefined => {
  const found = readSecretValue(text)
  if (found.kind === 'source') return found.source
  return found.kind === 'entry' && Object.hasOwn(secrets, found.entry) ? secrets[found.entry]?.$secret : undefined
}

/** The entries of password stores that nothing maps to a source. */
export const isUnmapped = (text: string | null | undefined, secrets: Scope['secrets']): boolean =>
  typeof text === 'string' && readSecretValue(text).kind === 'entry' && !Object.hasOwn(secrets, text)

/** The resources in the order of the file, each with the declared ones among those that it needs. */
export const toResources = (drafts: readonly Draft[]): readonly ForeignResource[] => {
  const declared = new Set(drafts.map(({ type, at }) => addressOf(type, at)))
  return drafts.map(({ type, at, path, mapped, needs = [], lifecycle, absent }) => {
    const own = addressOf(type, at)
    const dependsOn = [...new Set(needs)].filter((each) => each !== own && declared.has(each)).sort()
    return { type, ...at, path, ...mapped, dependsOn, ...defined({ lifecycle, absent }) }
  })
}
