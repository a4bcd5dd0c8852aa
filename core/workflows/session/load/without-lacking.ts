import type { Configuration } from '../../../config/configuration.ts'
import type { Note } from '../../../schema/issue.ts'
import type { DesiredResource } from '../../../schema/resource.ts'
import { pick } from '../../../values/members.ts'
import { lacking } from '../words.ts'
import { type Prepared, typeOf } from './loaded-workspace.ts'

/**
 * The format of another product may have more than a provider has: attributes that a type lacks are left out, and each is a
 * note at its place. Resources of a type that the provider lacks stay as they are: they are unchecked.
 */
export const withoutLacking = <Workspace extends Prepared>(workspace: Workspace): Workspace => {
  const { configuration } = workspace
  const notes: Note[] = []
  const resources = configuration.resources.map((resource) => {
    const known = resource.mayLackType ? knownTo(workspace, resource) : undefined
    const attributes = known && pick(resource.attributes, known)
    if (known === undefined || attributes === undefined) return resource
    const missing = Object.keys(resource.attributes).filter((name) => !known.includes(name))
    notes.push(...missing.map((name) => noteOn(configuration, resource, name)))
    return missing.length === 0 ? resource : { ...resource, attributes }
  })
  if (notes.length === 0) return workspace
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
