import type { Attribute, ObjectSchema } from '../../../engine/schema/attribute.ts'
import { isObject, type JsonObject } from '../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../engine/schema/resource.ts'
import { fileAttribute } from '../part/part-type.ts'
import { placeFor } from '../shared/ask.ts'
import type { FilePlace } from '../shared/place.ts'
import type { MachineScope } from '../shared/scope.ts'
import { descriptions, unknowns } from '../shared/words.ts'

/** Attributes that are keys of the credentials. https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html */
export const credentialKeys = {
  accessKeyId: 'aws_access_key_id',
  secretAccessKey: 'aws_secret_access_key',
  sessionToken: 'aws_session_token',
} as const

export const configKeys = { region: 'region', output: 'output' } as const

/** Keys that `settings` may not have: they have attributes of their own, some of them for secrets. */
export const ownKeys = new Set<string>([...Object.values(credentialKeys), ...Object.values(configKeys)])

const text = (description: string, rest: Partial<Attribute> = {}): Attribute => ({
  type: 'string',
  description,
  ...rest,
})

export const schema: ObjectSchema = {
  attributes: {
    name: text(descriptions.profile, { identity: true, required: true, immutable: true }),
    credentialsFile: fileAttribute(descriptions.credentialsFile, '.aws/credentials'),
    configFile: fileAttribute(descriptions.configFile, '.aws/config'),
    accessKeyId: text(descriptions.accessKeyId),
    secretAccessKey: text(descriptions.secretAccessKey, { sensitive: true }),
    sessionToken: text(descriptions.sessionToken, { sensitive: true }),
    region: text(descriptions.region),
    output: text(descriptions.output),
    hasCredentials: { type: 'boolean', computed: true, description: descriptions.hasCredentials },
    settings: {
      type: 'map',
      manage: 'declared',
      element: { type: 'string' },
      description: descriptions.profileSettings,
    },
  },
}

/** The two sections of a profile. */
export interface ProfilePlaces {
  readonly credentials: FilePlace
  readonly config: FilePlace
  readonly name: string
}

export const sectionOf = (name: string, file: 'credentials' | 'config'): string =>
  file === 'credentials' || name === 'default' ? name : `profile ${name}`

export const placesOf = (machine: MachineScope, attributes: JsonObject): ProfilePlaces | UnknownResult => {
  const { name, credentialsFile = '.aws/credentials', configFile = '.aws/config' } = attributes
  const [credentials, config] = [placeFor(machine, credentialsFile), placeFor(machine, configFile)]
  if ('kind' in credentials) return credentials
  if ('kind' in config) return config
  if (typeof name !== 'string') return { kind: 'unknown', reason: 'unresolved', detail: unknowns.openName }
  return { credentials, config, name }
}

/** The keys of one file that attributes are about, with their values, which may be marks. */
export const valuesOf = (attributes: JsonObject, file: 'credentials' | 'config'): JsonObject => {
  const named = Object.entries(file === 'credentials' ? credentialKeys : configKeys)
  const own = named.flatMap(([attribute, key]) => {
    const value = attributes[attribute]
    return value === undefined ? [] : [[key, value] as const]
  })
  const settings = file === 'config' ? attributes['settings'] : undefined
  const others = settings !== undefined && settings !== null && isObject(settings) ? settings : {}
  return { ...Object.fromEntries(own), ...others }
}
