import type { Configuration } from '../../../config/shared/configuration.ts'
import type { Note } from '../../../schema/issue.ts'
import type { DesiredResource } from '../../../schema/resource.ts'
import { mapMembers } from '../../../values/members.ts'
import { type Prepared, typeOf } from '../shared/loaded-workspace.ts'
import { unreachable } from '../shared/words.ts'

/**
 * Leaves out settings that no request reads or writes, so that nothing compares them. One note for each provider names
 * all such settings, however many resources declare them.
 */
export const withoutApi = <Workspace extends Prepared>(workspace: Workspace): Workspace => {
  const { configuration } = workspace
  const written: SettingWithoutApi[] = []
  const resources = configuration.resources.map((resource) => {
    const known = typeOf(workspace, resource.provider, resource.type)?.withoutApi ?? {}
    const names = Object.keys(resource.attributes).filter((name) => Object.hasOwn(known, name))
    if (names.length === 0) return resource
    written.push(...names.map((name) => ({ resource, name })))
    const attributes = mapMembers(resource.attributes, (value, name) => (names.includes(name) ? undefined : value))
    return { ...resource, attributes }
  })
  if (written.length === 0) return workspace
  const notes = [...Map.groupBy(written, ({ resource }) => resource.provider).values()].map((group) =>
    noteOn(configuration, group),
  )
  return { ...workspace, configuration: { ...configuration, resources, notes: [...configuration.notes, ...notes] } }
}

interface SettingWithoutApi {
  readonly resource: DesiredResource
  readonly name: string
}

/** The note is at the place of the first setting. */
const noteOn = ({ locate }: Configuration, group: readonly SettingWithoutApi[]): Note => {
  const [{ resource, name } = {} as SettingWithoutApi] = group
  const byType = [...Map.groupBy(group, (each) => each.resource.type)].map(
    ([type, each]) => [type, [...new Set(each.map((one) => one.name))]] as const,
  )
  return {
    ...locate(resource.address, [name], 'key'),
    ...unreachable(resource.provider, byType),
    code: 'withoutApi',
    level: 'info',
  }
}
