import type { ResourceType } from '../../../engine/provider/provider.ts'
import type { Problem } from '../../../engine/schema/issue.ts'
import { isObject, type JsonObject } from '../../../engine/schema/json.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { sectionPart } from '../../../engine/values/text-parts/section.ts'
import { preparePath, preparing } from '../file/prepare.ts'
import { splitReplacement } from '../shared/replacement.ts'
import type { MachineScope } from '../shared/scope.ts'
import { refusals } from '../shared/words.ts'
import { listProfiles } from './list-profiles.ts'
import { ownKeys, placesOf, schema, valuesOf } from './profile.ts'
import { profileCommands } from './profile-commands.ts'
import { readProfile } from './read-profile.ts'

const problemsOf = (attributes: JsonObject): readonly Problem[] => {
  const { name, settings } = attributes
  const keys = settings !== undefined && isObject(settings) && !isMark(settings) ? settings : {}
  const taken = Object.keys(keys).find((key) => ownKeys.has(key))
  if (taken !== undefined) return [{ path: ['settings', taken], ...refusals.credentialKey(taken) }]
  if (typeof name !== 'string') return []
  const values = { ...valuesOf(attributes, 'credentials'), ...valuesOf(attributes, 'config') }
  const plain = Object.entries(values).filter(([, value]) => value === null || typeof value === 'string')
  const refusal = sectionPart.refuse({ section: name }, Object.fromEntries(plain) as Record<string, string | null>)
  return refusal === undefined ? [] : [{ path: ['name'], ...refusals.noPart(refusal) }]
}

/** A profile of the AWS command line: two sections in two files, of which only the declared keys are touched. */
export const awsProfileType = (machine: MachineScope): ResourceType => ({
  name: 'machine_aws_profile',
  schema,
  lifecycle: { onImmutable: 'replace' },
  urlOf: (attributes) => {
    const places = placesOf(machine, attributes)
    return 'kind' in places ? undefined : `${places.credentials.url}#section=${JSON.stringify(places.name)}`
  },
  prepare: (written) =>
    preparing((refuse) => {
      const fileOf = (member: 'credentialsFile' | 'configFile'): JsonObject =>
        preparePath(member, written[member] ?? schema.attributes[member]?.default, machine, refuse)
      return { ...written, ...fileOf('credentialsFile'), ...fileOf('configFile') }
    }),
  validate: problemsOf,
  read: ({ attributes }, deps) => readProfile(machine, attributes, deps),
  commands: (change) => splitReplacement(change).flatMap((each) => profileCommands(machine, each)),
  list: (scope, deps) => listProfiles(machine, scope, deps),
})
