import type { ReadDeps } from '../../../engine/provider/provider.ts'
import { isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { ReadResult, UnknownResult } from '../../../engine/schema/resource.ts'
import { nestedKey, sectionPart } from '../../../engine/values/text-parts/section.ts'
import { parseText } from '../../../engine/values/text-parts/text-file.ts'
import { looksSecret } from '../../../engine/values/texts/looks-secret.ts'
import { askText } from '../shared/ask.ts'
import type { MachineScope } from '../shared/scope.ts'
import {
  configKeys,
  credentialKeys,
  ownKeys,
  type ProfilePlaces,
  placesOf,
  schema,
  sectionOf,
  valuesOf,
} from './profile.ts'

export const readProfile = async (machine: MachineScope, desired: JsonObject, deps: ReadDeps): Promise<ReadResult> => {
  const places = placesOf(machine, desired)
  if ('kind' in places) return places
  const [credentials, config] = await Promise.all([
    readSection(places, 'credentials', desired, deps),
    readSection(places, 'config', desired, deps),
  ])
  if ('kind' in credentials) return credentials
  if ('kind' in config) return config
  if (credentials.values === undefined && config.values === undefined) return { kind: 'absent' }
  const { name, credentialsFile, configFile } = desired
  const isShown = shownSettings(desired)
  const others = Object.entries(config.values ?? {}).filter(([key, value]) => !ownKeys.has(key) && isShown(key, value))
  const keyOf = (values: JsonObject | undefined, key: string): Json =>
    values !== undefined && Object.hasOwn(values, key) ? (values[key] ?? null) : null
  return {
    kind: 'present',
    attributes: {
      name: name ?? null,
      credentialsFile: credentialsFile ?? '.aws/credentials',
      configFile: configFile ?? '.aws/config',
      ...Object.fromEntries(
        Object.entries(credentialKeys).map(([each, key]) => [each, keyOf(credentials.values, key)]),
      ),
      ...Object.fromEntries(Object.entries(configKeys).map(([each, key]) => [each, keyOf(config.values, key)])),
      hasCredentials: credentials.values !== undefined,
      settings: Object.fromEntries(others),
    },
  }
}

/** Only what is declared leaves the read. Without any declaration, as for an import, what is surely no secret. */
const shownSettings = (desired: JsonObject): ((key: string, value: Json) => boolean) => {
  const { settings } = desired
  if (settings !== undefined && settings !== null && isObject(settings)) return (key) => Object.hasOwn(settings, key)
  const isBare = Object.keys(desired).every((name) => schema.attributes[name]?.identity === true)
  return (key, value) => isBare && typeof value === 'string' && !looksSecret(key, value)
}

type ProfileSection = { readonly values: JsonObject | undefined } | UnknownResult

/** The keys of one section; `undefined` where there is none. */
const readSection = async (
  places: ProfilePlaces,
  file: 'credentials' | 'config',
  desired: JsonObject,
  deps: ReadDeps,
): Promise<ProfileSection> => {
  const asked = await askText(places[file], deps)
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'absent') return { values: undefined }
  const parsed = parseText(asked.text)
  const section = sectionOf(places.name, file)
  const nested = nestedKey(parsed, section, Object.keys(valuesOf(desired, file)))
  if (nested !== undefined) return { kind: 'unknown', reason: 'bad_body', detail: nested }
  const found = sectionPart.find(parsed, { section })
  if (found.kind === 'unclear') return { ...found, kind: 'unknown' }
  return { values: found.kind === 'present' ? found.value : undefined }
}
