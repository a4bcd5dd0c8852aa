import type { Issue } from '../../schema/issue.ts'
import type { DesiredResource, Position } from '../../schema/resource.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import type { Configuration } from '../shared/configuration.ts'
import { say } from '../shared/words.ts'

type TypesByAlias = ReadonlyMap<string, ReadonlySet<string>>

const aliasOf = (
  { address, type, provider, mayLackType }: DesiredResource,
  typesByAlias: TypesByAlias,
  complete: boolean,
  position: Position,
): string | Issue => {
  if (provider !== '') {
    const types = typesByAlias.get(provider)
    if (types === undefined || types.has(type) || mayLackType) return provider
    return { ...position, ...say('providerLacksType', address, provider, type, suggest(type, types)), value: type }
  }
  const owners = [...typesByAlias].filter(([, types]) => types.has(type)).map(([alias]) => alias)
  const [owner, another] = owners
  if (another !== undefined) return { ...position, ...say('severalProviders', address, type, owners), value: type }
  const [only, second] = typesByAlias.keys()
  if (owner === undefined && mayLackType && only !== undefined && second === undefined) return only
  // A provider that could not be configured may be the right one; its own problem is already reported.
  if (owner !== undefined || !complete) return owner ?? ''
  const types = [...typesByAlias.values()].flatMap((each) => [...each])
  return { ...position, ...say('noType', address, type, suggest(type, new Set(types))), value: type }
}

/**
 * Gives each resource its provider. A provider that could not be configured has no entry in `typesByAlias`; resources
 * that it may own are skipped.
 */
export const bindProviders = (configuration: Configuration, typesByAlias: TypesByAlias) => {
  const complete = configuration.providers.every(({ alias }) => typesByAlias.has(alias))
  const resources: DesiredResource[] = []
  const issues: Issue[] = []
  for (const resource of configuration.resources) {
    const place = configuration.locate(resource.address, [], 'type')
    const found = aliasOf(resource, typesByAlias, complete, place)
    if (typeof found === 'string') resources.push({ ...resource, provider: found })
    else issues.push(found)
  }
  if (complete)
    issues.push(...unknownLimits(configuration, new Set([...typesByAlias.values()].flatMap((each) => [...each]))))
  return { issues, configuration: { ...configuration, resources } }
}

/** A limit for a type that does not exist would guard nothing. */
const unknownLimits = ({ limitedTypes }: Configuration, types: ReadonlySet<string>): readonly Issue[] =>
  limitedTypes
    .filter(({ type }) => !types.has(type))
    .map(({ type, position }) => ({ ...position, ...say('noLimitedType', type, suggest(type, types)), value: type }))
