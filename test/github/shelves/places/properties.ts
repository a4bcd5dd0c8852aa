import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { type Call, done, listed, ok, organizationOf, param, repositoryOf, type Shelf } from '../../server/call.ts'
import { notFound, refuse } from '../../server/refusal.ts'
import type { Repository } from '../../state/parts.ts'
import { valuesOf } from '../../state/properties.ts'
import { repositoriesOf } from '../../state/repository.ts'
import type { CustomProperty, Organization } from '../../state/shapes.ts'
import { keyOf } from '../../state/world.ts'

const selects = new Set(['single_select', 'multi_select'])

const view = ({ world }: Call, { login }: Organization, { name, settings }: CustomProperty): JsonObject => ({
  property_name: name,
  url: `${world.url}/orgs/${login}/properties/schema/${name}`,
  source_type: 'organization',
  ...settings,
})

const checkDefinition = (name: string, settings: JsonObject): void => {
  const { value_type, required, default_value, allowed_values } = settings
  if (!/^[A-Za-z0-9_$#-]{1,75}$/.test(name)) refuse(422, `Property name ${name} is not valid`)
  const isSelect = selects.has(String(value_type))
  if (isSelect && !(Array.isArray(allowed_values) && allowed_values.length > 0))
    refuse(422, `Allowed values cannot be empty for property ${name}`)
  if (!isSelect && Array.isArray(allowed_values) && allowed_values.length > 0)
    refuse(422, `Allowed values are only for select properties, not for ${name}`)
  const hasDefault = default_value !== null && default_value !== undefined
  if (required === true && !hasDefault) refuse(422, `A required property needs a default value: ${name}`)
  if (required !== true && hasDefault) refuse(422, `Only a required property can have a default value: ${name}`)
}

const define = (organization: Organization, name: string, sent: JsonObject): CustomProperty => {
  const known = organization.properties.get(keyOf(name))
  if (known !== undefined && sent['value_type'] !== known.settings['value_type'])
    refuse(422, `The type of property ${name} cannot be changed`)
  const { property_name, url, source_type, ...given } = sent
  const settings: Record<string, Json> = {
    required: false,
    default_value: null,
    description: null,
    allowed_values: null,
    values_editable_by: 'org_actors',
    ...given,
  }
  checkDefinition(name, settings)
  const shown = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)) as Record<
    string,
    Json
  >
  const property = known ?? { name, settings: shown }
  property.settings = shown
  organization.properties.set(keyOf(name), property)
  return property
}

const propertyOf = (call: Call): CustomProperty =>
  organizationOf(call).properties.get(keyOf(param(call, 'custom_property_name'))) ?? notFound()

const setValues = (organization: Organization, repository: Repository, sent: readonly JsonObject[]): void => {
  for (const { property_name, value } of sent) {
    const property = organization.properties.get(keyOf(String(property_name)))
    if (property === undefined) refuse(422, `Property ${String(property_name)} is not defined`)
    const { name, settings } = property as CustomProperty
    const allowed = settings['allowed_values'] as readonly string[] | undefined
    const values = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
    const bad = values.find((each) => allowed !== undefined && !allowed.includes(String(each)))
    if (bad !== undefined) refuse(422, `Value ${String(bad)} is not allowed for property ${name}`)
    if (Array.isArray(value) !== (settings['value_type'] === 'multi_select') && values.length > 0)
      refuse(422, `Property ${name} takes ${settings['value_type'] === 'multi_select' ? 'a list' : 'one value'}`)
    if (settings['value_type'] === 'true_false' && values.some((each) => each !== 'true' && each !== 'false'))
      refuse(422, `Property ${name} takes "true" or "false"`)
    if (values.length === 0) repository.properties.delete(keyOf(name))
    else repository.properties.set(keyOf(name), value as Json)
  }
}

const owning = ({ world }: Call, { owner }: Repository): Organization =>
  world.organizations.get(keyOf(owner)) ?? notFound()

const shownValues = (organization: Organization, repository: Repository): readonly JsonObject[] =>
  Object.entries(valuesOf(organization, repository)).map(([property_name, value]) => ({ property_name, value }))

const prefix = 'orgs/custom-properties-for-repos'
const inRepository = 'repos/custom-properties-for-repos'

export const properties: Shelf = {
  [`${prefix}-get-organization-definitions`]: (call) => {
    const organization = organizationOf(call)
    return listed(organization.properties.values(), (each) => view(call, organization, each))
  },
  [`${prefix}-create-or-update-organization-definitions`]: (call) => {
    const organization = organizationOf(call)
    const sent = call.body['properties'] as readonly JsonObject[]
    const made = sent.map((each) => define(organization, String(each['property_name']), each))
    return ok(made.map((each) => view(call, organization, each)))
  },
  [`${prefix}-get-organization-definition`]: (call) => ok(view(call, organizationOf(call), propertyOf(call))),
  [`${prefix}-create-or-update-organization-definition`]: (call) => {
    const organization = organizationOf(call)
    return ok(view(call, organization, define(organization, param(call, 'custom_property_name'), call.body)))
  },
  /** The values go with the definition. */
  [`${prefix}-delete-organization-definition`]: (call) => {
    const organization = organizationOf(call)
    const key = keyOf(propertyOf(call).name)
    organization.properties.delete(key)
    for (const repository of repositoriesOf(call.world, organization)) repository.properties.delete(key)
    return done
  },
  [`${prefix}-get-organization-values`]: (call) => {
    const organization = organizationOf(call)
    return listed(repositoriesOf(call.world, organization), (repository) => ({
      repository_id: repository.id,
      repository_name: repository.name,
      repository_full_name: `${repository.owner}/${repository.name}`,
      properties: shownValues(organization, repository),
    }))
  },
  [`${prefix}-create-or-update-organization-values`]: (call) => {
    const organization = organizationOf(call)
    const names = new Set((call.body['repository_names'] as readonly string[]).map((name) => keyOf(name)))
    for (const repository of repositoriesOf(call.world, organization))
      if (names.has(keyOf(repository.name)))
        setValues(organization, repository, call.body['properties'] as readonly JsonObject[])
    return done
  },
  [`${inRepository}-get-repository-values`]: (call) => {
    const repository = repositoryOf(call)
    return ok(shownValues(owning(call, repository), repository))
  },
  [`${inRepository}-create-or-update-repository-values`]: (call) => {
    const repository = repositoryOf(call)
    setValues(owning(call, repository), repository, call.body['properties'] as readonly JsonObject[])
    return done
  },
}
