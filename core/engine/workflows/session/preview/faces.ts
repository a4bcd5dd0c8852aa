import { type Faces, type Form, textsOf, wholeKeys } from '../../../binding/other-workspace.ts'
import { keysOf, keyTexts } from '../../../binding/sight.ts'
import { normalise } from '../../../diff/normalise.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { defined, present } from '../../../values/defined.ts'
import { pick } from '../../../values/members.ts'
import { loopbackAsOne, oneUrl } from '../../../values/url.ts'
import { type BoundResource, rulesOf } from '../plan/observation.ts'
import type { LoadedWorkspace } from '../shared/loaded-workspace.ts'

/**
 * Objects of two workspaces are compared if both have the same target. The target of a provider without one is this
 * machine.
 */
export const placeIn = ({ providers, configuration }: LoadedWorkspace, alias: string, type: string): string => {
  const source = configuration.providers.find((each) => each.alias === alias)?.source
  const place = providers.get(alias)?.place
  return JSON.stringify([place === undefined ? { source } : loopbackAsOne(place), type])
}

const configuredIn = ({ desired, desiredAttributes }: BoundResource): JsonObject | undefined =>
  desiredAttributes ?? desired?.attributes

/** The keys and ids of an object as it is configured, recorded and read. */
export const formsOf = (bound: BoundResource): readonly Form[] => {
  const { recorded, observed, type } = bound
  const { result } = observed
  const schema = type?.schema ?? { attributes: {} }
  const keys = keysOf(schema)
  const form = (side: 'desired' | 'recorded' | 'observed', { attributes, ids }: Form): Form => ({
    attributes: normalise(schema, pick(attributes, keys), side),
    ids,
  })
  const configured = configuredIn(bound)
  return [
    ...present(configured && form('desired', { attributes: configured }), recorded && form('recorded', recorded)),
    ...(result.kind === 'present' ? [form('observed', result)] : []),
    ...(result.kind === 'absent' && result.archived !== undefined ? [form('observed', result.archived)] : []),
  ]
}

/** Where a delete would go: another document may describe the same object under another type. */
const deletedBy = ({ type, recorded, observed: { result }, refs }: BoundResource): readonly string[] =>
  [recorded, result.kind === 'present' ? result : undefined].flatMap((form) => {
    if (form === undefined) return []
    const { attributes, ids } = form
    return present(type?.siteOf?.({ attributes, ...defined({ ids, refs }) }).deleted).map(oneUrl)
  })

/** Everything that may identify the objects of a workspace. Objects that are never written are left out. */
export const facesIn = (loaded: LoadedWorkspace, resources: Iterable<BoundResource>): readonly Faces[] =>
  [...resources].flatMap((bound): readonly Faces[] => {
    const { address, type, provider, desired, recorded, observed } = bound
    if (type?.identity?.isShared) return []
    const place = placeIn(loaded, provider, type?.name ?? (desired ?? recorded)?.type ?? '')
    // Without its type, the resource may be any object of the type that it names.
    if (type === undefined) return [{ address, texts: [], keys: [], vague: { place, texts: {} } }]
    const rules = { schema: type.schema, identity: rulesOf(type), place, urlOf: type.urlOf?.bind(type) }
    const forms = formsOf(bound)
    const configured = configuredIn(bound)
    const isVague = observed.result.kind === 'unknown' && configured !== undefined
    const isWhole = configured !== undefined && wholeKeys(rules, configured) !== undefined
    const vague = { place, texts: keyTexts(type.schema, pick(configured ?? {}, keysOf(type.schema))) }
    return [
      defined({
        address,
        texts: [...new Set([...forms.flatMap((form) => textsOf(rules, form)), ...deletedBy(bound)])],
        keys: forms.flatMap(({ attributes }) => wholeKeys(rules, attributes) ?? []),
        vague: isVague && !isWhole ? vague : undefined,
      }),
    ]
  })
