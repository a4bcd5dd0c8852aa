import { AppError } from '../../../engine/errors/errors.ts'
import type { ResourceType } from '../../../engine/provider/provider.ts'
import type { JsonObject } from '../../../engine/schema/json.ts'
import type { LoadedWorkspace } from '../../../engine/workflows/session/shared/loaded-workspace.ts'
import { type GivenTexts, type ImportTarget, keysOf, parentTypes, typed } from './known-object.ts'
import { refusals } from './words.ts'

/** Values are texts as the user typed them. */
export interface ImportRequest {
  readonly workspace: string
  /** Empty: every type that can be listed. */
  readonly types: readonly { readonly type: string; readonly identity?: GivenTexts }[]
  /** An alias; every provider when absent. */
  readonly provider?: string
  readonly where: GivenTexts
}

const refuse = (detail: string): never => {
  throw new AppError('USAGE', { detail })
}

/** Returns the types of the request and their parent types. Throws USAGE for unknown names. */
export const chooseTargets = ({ providers }: LoadedWorkspace, request: ImportRequest): readonly ImportTarget[] => {
  const { provider, types, where } = request
  if (provider !== undefined && !providers.has(provider)) refuse(refusals.provider(provider, providers.keys()))
  const all = [...providers]
    .filter(([alias]) => provider === undefined || alias === provider)
    .flatMap(([alias, { types: own }]) => Object.values(own).map((type) => ({ provider: alias, type })))
  for (const { type } of types) {
    const known = [...new Set(all.map((one) => one.type.name))]
    if (!known.includes(type)) refuse(refusals.type(type, known))
  }
  for (const name of Object.keys(where)) {
    if (!all.some(({ type }) => Object.hasOwn(type.schema.attributes, name))) refuse(refusals.where(name))
  }
  const meant = all.filter(({ type }) => isMeant(type, request))
  const wanted = meant.map((one): ImportTarget => ({ ...one, ...identitiesOf(one.type, request), isParent: false }))
  return [...wanted, ...parentsOf(wanted, all)]
}

/** Without named types, those are meant that have all attributes of `where`. */
const isMeant = (type: ResourceType, { types, where }: ImportRequest): boolean =>
  types.length === 0
    ? Object.keys(where).every((name) => Object.hasOwn(type.schema.attributes, name))
    : types.some((one) => one.type === type.name)

const identitiesOf = (type: ResourceType, { types }: ImportRequest): Pick<ImportTarget, 'identities'> => {
  const named = types.filter((one) => one.type === type.name)
  if (named.length === 0 || named.some(({ identity }) => identity === undefined)) return {}
  return { identities: named.map(({ identity = {} }) => identityOf(type, identity)) }
}

const identityOf = (type: ResourceType, given: GivenTexts): JsonObject => {
  const { attributes } = type.schema
  const keys = keysOf(type)
  const unknown = Object.keys(given).find((name) => !keys.includes(name))
  const missing = keys.find((name) => given[name] === undefined && attributes[name]?.default === undefined)
  if (unknown !== undefined) refuse(refusals.unknownKey(type.name, unknown, keys))
  if (missing !== undefined) refuse(refusals.missingKey(type.name, missing, keys))
  const identity = typed(type, given)
  const prepared = type.prepare?.(identity)
  if (prepared === undefined) return identity
  if (prepared.ok) return prepared.attributes
  return refuse(prepared.problems.map(({ message, fix }) => `${message}; ${fix}`).join('; '))
}

type Candidate = Pick<ImportTarget, 'provider' | 'type'>

const parentsOf = (wanted: readonly ImportTarget[], all: readonly Candidate[]): readonly ImportTarget[] => {
  const chosen = new Set(wanted.map(keyOf))
  const found: ImportTarget[] = []
  const visit = ({ provider, type, identities }: Candidate & Pick<ImportTarget, 'identities'>): void => {
    if (identities !== undefined) return
    for (const name of parentTypes(type)) {
      const parent = all.find((one) => one.provider === provider && one.type.name === name)
      if (parent === undefined || chosen.has(keyOf(parent))) continue
      chosen.add(keyOf(parent))
      found.push({ ...parent, isParent: true })
      visit(parent)
    }
  }
  for (const one of wanted) visit(one)
  return found
}

const keyOf = ({ provider, type }: Candidate): string => `${provider} ${type.name}`
