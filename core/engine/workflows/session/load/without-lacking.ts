import type { Configuration } from '../../../config/shared/configuration.ts'
import type { Note } from '../../../schema/issue.ts'
import type { DesiredResource } from '../../../schema/resource.ts'
import { pick } from '../../../values/members.ts'
import { type Prepared, typeOf } from '../shared/loaded-workspace.ts'
import { lacking } from '../shared/words.ts'

/**
 * The format of another product may have more than a provider has. Attributes that a type lacks are left out, each with
 * a note at its place. Resources of a type that the provider lacks stay: they are unchecked, and nothing waits for
 * them, because no request can change them.
 */
export const withoutLacking = <Workspace extends Prepared>(workspace: Workspace): Workspace => {
  const { configuration } = workspace
  if (!configuration.resources.some(({ mayLackType }) => mayLackType)) return workspace
  const notes: Note[] = []
  const untyped = new Set(
    configuration.resources
      .filter(({ mayLackType, provider, type }) => mayLackType && typeOf(workspace, provider, type) === undefined)
      .map(({ address }) => address),
  )
  const resources = configuration.resources.map((resource) => {
    if (!resource.mayLackType) return resource
    const dependsOn = resource.dependsOn.filter((each) => !untyped.has(each))
    const known = knownTo(workspace, resource)
    if (known === undefined) return { ...resource, dependsOn }
    const missing = Object.keys(resource.attributes).filter((name) => !known.includes(name))
    notes.push(...missing.map((name) => noteOn(configuration, resource, name)))
    return { ...resource, dependsOn, attributes: pick(resource.attributes, known) }
  })
  return { ...workspace, configuration: { ...configuration, resources, notes: [...configuration.notes, ...notes] } }
}

const knownTo = (workspace: Prepared, { provider, type }: DesiredResource): readonly string[] | undefined => {
  const schema = typeOf(workspace, provider, type)?.schema
  return schema && Object.keys(schema.attributes)
}

const noteOn = ({ locate }: Configuration, { address, type, provider }: DesiredResource, name: string): Note => ({
  ...locate(address, [name], 'key'),
  ...lacking(provider, type, name),
  code: 'lackingAttribute',
  level: 'warning',
})
