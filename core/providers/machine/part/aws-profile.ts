import type { Attribute, ObjectSchema } from '../../../schema/attribute.ts'
import type { CommandDraft, Request } from '../../../schema/command.ts'
import type { Problem } from '../../../schema/issue.ts'
import { isObject, type Json, type JsonObject } from '../../../schema/json.ts'
import type { ReadResult } from '../../../schema/resource.ts'
import { isMark, isSensitive } from '../../../schema/value.ts'
import { nestedKey, sectionNames, sectionPart } from '../../../values/text-parts/section.ts'
import { parseText } from '../../../values/text-parts/text-file.ts'
import { looksSecret } from '../../../values/texts/looks-secret.ts'
import type { Listed, PlannedChange, ReadDeps, ResourceType, Target, UnlistedPlace } from '../../provider.ts'
import { askText, placeFor } from '../ask.ts'
import { preparePath, type Refuse } from '../file/prepare.ts'
import type { FilePlace } from '../place.ts'
import type { Machine } from '../scope.ts'
import { descriptions, doing, partNames, refusals, unknowns } from '../words.ts'
import { fileAttribute } from './part-type.ts'

/** Attributes that are keys of the credentials. https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html */
const credentialKeys = {
  accessKeyId: 'aws_access_key_id',
  secretAccessKey: 'aws_secret_access_key',
  sessionToken: 'aws_session_token',
} as const

const configKeys = { region: 'region', output: 'output' } as const

/** Keys that `settings` may not have: they have attributes of their own, some of them for secrets. */
const ownKeys = new Set<string>([...Object.values(credentialKeys), ...Object.values(configKeys)])

const text = (description: string, rest: Partial<Attribute> = {}): Attribute => ({
  type: 'string',
  description,
  ...rest,
})

const schema: ObjectSchema = {
  attributes: {
    name: text(descriptions.profile, { identity: true, required: true, immutable: true }),
    credentialsFile: fileAttribute(descriptions.credentialsFile, '.aws/credentials'),
    configFile: fileAttribute(descriptions.configFile, '.aws/config'),
    accessKeyId: text(descriptions.accessKeyId),
    secretAccessKey: text(descriptions.secretAccessKey, { sensitive: true }),
    sessionToken: text(descriptions.sessionToken, { sensitive: true }),
    region: text(descriptions.region),
    output: text(descriptions.output),
    settings: {
      type: 'map',
      manage: 'declared',
      element: { type: 'string' },
      description: descriptions.profileSettings,
    },
  },
}

/** The two sections of a profile. */
interface Places {
  readonly credentials: FilePlace
  readonly config: FilePlace
  readonly name: string
}

const sectionOf = (name: string, file: 'credentials' | 'config'): string =>
  file === 'credentials' || name === 'default' ? name : `profile ${name}`

/** A profile of the AWS command line: two sections in two files, of which only the declared keys are touched. */
export const awsProfileType = (machine: Machine): ResourceType => ({
  name: 'machine_aws_profile',
  schema,
  lifecycle: { onImmutable: 'replace' },
  urlOf: (attributes) => {
    const places = placesOf(machine, attributes)
    return 'kind' in places ? undefined : `${places.credentials.url}#section=${JSON.stringify(places.name)}`
  },
  prepare: (written) => {
    const problems: Problem[] = []
    const fileOf = (member: 'credentialsFile' | 'configFile'): JsonObject => {
      const refuse: Refuse = (_, found) => {
        problems.push({ path: [member], ...found })
        return {}
      }
      const { path } = preparePath(written[member] ?? schema.attributes[member]?.default, machine, refuse)
      return path === undefined ? {} : { [member]: path }
    }
    const attributes = { ...written, ...fileOf('credentialsFile'), ...fileOf('configFile') }
    return problems.length > 0 ? { ok: false, problems } : { ok: true, attributes }
  },
  validate: problemsOf,
  read: ({ attributes }, deps) => readProfile(machine, attributes, deps),
  commands: (change) => {
    if (change.action !== 'replace') return profileCommands(machine, change)
    const remove = profileCommands(machine, { ...change, action: 'delete', desired: change.before ?? change.desired })
    const create = profileCommands(machine, { ...change, action: 'create', before: null })
    return change.replaceOrder === 'createFirst' ? [...create, ...remove] : [...remove, ...create]
  },
  list: (scope, deps) => listProfiles(machine, scope, deps),
})

const problemsOf = (attributes: JsonObject): readonly Problem[] => {
  const { name, settings } = attributes
  const keys = settings !== undefined && isObject(settings) && !isMark(settings) ? settings : {}
  const taken = Object.keys(keys).find((key) => ownKeys.has(key))
  if (taken !== undefined) return [{ path: ['settings', taken], ...refusals.credentialKey(taken) }]
  if (typeof name !== 'string') return []
  const values = { ...valuesOf(attributes, 'credentials'), ...valuesOf(attributes, 'config') }
  if (Object.keys(values).length === 0) return []
  const plain = Object.entries(values).filter(([, value]) => value === null || typeof value === 'string')
  const refusal = sectionPart.refuse({ section: name }, Object.fromEntries(plain) as Record<string, string | null>)
  return refusal === undefined ? [] : [{ path: ['name'], ...refusals.noPart(refusal) }]
}

const placesOf = (machine: Machine, attributes: JsonObject): Places | Extract<ReadResult, { kind: 'unknown' }> => {
  const { name, credentialsFile = '.aws/credentials', configFile = '.aws/config' } = attributes
  const [credentials, config] = [placeFor(machine, credentialsFile), placeFor(machine, configFile)]
  if ('kind' in credentials) return credentials
  if ('kind' in config) return config
  if (typeof name !== 'string') return { kind: 'unknown', reason: 'unresolved', detail: unknowns.openName }
  return { credentials, config, name }
}

/** The keys of one file that attributes are about, with their values, which may be marks. */
const valuesOf = (attributes: JsonObject, file: 'credentials' | 'config'): JsonObject => {
  const named = Object.entries(file === 'credentials' ? credentialKeys : configKeys)
  const own = named.flatMap(([attribute, key]) => {
    const value = attributes[attribute]
    return value === undefined ? [] : [[key, value] as const]
  })
  const settings = file === 'config' ? attributes['settings'] : undefined
  const others = settings !== undefined && settings !== null && isObject(settings) ? settings : {}
  return { ...Object.fromEntries(own), ...others }
}

const readProfile = async (machine: Machine, wanted: JsonObject, deps: ReadDeps): Promise<ReadResult> => {
  const places = placesOf(machine, wanted)
  if ('kind' in places) return places
  const [credentials, config] = await Promise.all([
    readSection(places, 'credentials', wanted, deps),
    readSection(places, 'config', wanted, deps),
  ])
  if ('kind' in credentials) return credentials
  if ('kind' in config) return config
  if (credentials.values === undefined && config.values === undefined) return { kind: 'absent' }
  const { name, credentialsFile, configFile } = wanted
  const isShown = shownSettings(wanted)
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
      settings: Object.fromEntries(others),
    },
  }
}

/** Only what is declared leaves the read. Without any declaration, as for an import, what is surely no secret. */
const shownSettings = (wanted: JsonObject): ((key: string, value: Json) => boolean) => {
  const { settings } = wanted
  if (settings !== undefined && settings !== null && isObject(settings)) return (key) => Object.hasOwn(settings, key)
  const isBare = Object.keys(wanted).every((name) => schema.attributes[name]?.identity === true)
  return (key, value) => isBare && typeof value === 'string' && !looksSecret(key, value)
}

type Section = { readonly values: JsonObject | undefined } | Extract<ReadResult, { kind: 'unknown' }>

/** The keys of one section; `undefined` where there is none. */
const readSection = async (
  places: Places,
  file: 'credentials' | 'config',
  wanted: JsonObject,
  deps: ReadDeps,
): Promise<Section> => {
  const asked = await askText(places[file], deps)
  if (asked.kind === 'unknown') return asked
  if (asked.kind === 'absent') return { values: undefined }
  const parsed = parseText(asked.text)
  const section = sectionOf(places.name, file)
  const nested = nestedKey(parsed, section, Object.keys(valuesOf(wanted, file)))
  if (nested !== undefined) return { kind: 'unknown', reason: 'unsupported', detail: nested }
  const found = sectionPart.find(parsed, { section })
  if (found.kind === 'unclear') return { ...found, kind: 'unknown' }
  return { values: found.kind === 'present' ? found.value : undefined }
}

/** Only the owner may read them. */
const defaultMode = '0600'

const profileCommands = (machine: Machine, change: PlannedChange): readonly CommandDraft[] => {
  const places = placesOf(machine, change.desired)
  if ('kind' in places) return []
  if (change.action === 'delete') return removal(places, change)
  const drafts = (['credentials', 'config'] as const).flatMap((file) => draftFor(file, places, change))
  return drafts.map((draft, n) => ({
    ...draft,
    // The first one makes the profile; the next one changes what was made.
    action: change.before === null && n === 0 ? 'create' : 'update',
  }))
}

const edit = (place: FilePlace, section: string, to: Json, was?: Json): Request => ({
  method: 'PATCH',
  url: place.url,
  effect: 'write',
  body: {
    edit: { kind: 'section', of: { section }, to, ...(was === undefined ? {} : { was }) },
    ...(to === null ? {} : { mode: defaultMode }),
  },
})

/** The keys that change in one file, one edit for all of them. */
const draftFor = (
  file: 'credentials' | 'config',
  { name, ...places }: Places,
  { before, desired, changed }: PlannedChange,
): readonly Omit<CommandDraft, 'action'>[] => {
  const wanted = valuesOf(desired, file)
  const old = before === null ? {} : valuesOf(before, file)
  const names = attributesOf(file)
  const isChanged = (attribute: string, key: string): boolean =>
    before === null ||
    changed.some(
      ([first, second]) => first === attribute && (attribute !== 'settings' || second === undefined || second === key),
    )
  const keyAttribute = (key: string): string => names.find(([, each]) => each === key)?.[0] ?? 'settings'
  const to = Object.fromEntries(Object.entries(wanted).filter(([key]) => isChanged(keyAttribute(key), key)))
  if (Object.keys(to).length === 0) return []
  const section = sectionOf(name, file)
  const held = Object.fromEntries(
    Object.keys(to).map((key) => [key, Object.hasOwn(old, key) ? (old[key] ?? null) : null]),
  )
  const known = Object.fromEntries(Object.entries(held).filter(([, value]) => !isSensitive(value)))
  const isKnown = Object.keys(known).length === Object.keys(held).length
  const what = partNames.profile(name)
  const sets = [...new Set(Object.keys(to).map(keyAttribute))]
  return [
    {
      description: before === null ? doing.add(what, places[file].path) : doing.change(what, places[file].path),
      request: edit(places[file], section, to, known),
      footprint: { sets },
      ...(isKnown
        ? { grade: 'reversible' as const, inverse: edit(places[file], section, before === null ? null : held) }
        : { grade: 'lossy' as const }),
    },
  ]
}

const attributesOf = (file: 'credentials' | 'config'): readonly (readonly [string, string])[] =>
  Object.entries(file === 'credentials' ? credentialKeys : configKeys)

/** Both sections as a whole, with keys that nothing declares: nobody can bring them back. */
const removal = ({ name, ...places }: Places, { before }: PlannedChange): readonly CommandDraft[] => {
  const has = (file: 'credentials' | 'config'): boolean =>
    Object.values(valuesOf(before ?? {}, file)).some((value) => value !== null)
  const remove = (file: 'credentials' | 'config'): Omit<CommandDraft, 'action'> => ({
    description: doing.takeAway(partNames.profile(name), places[file].path),
    request: edit(places[file], sectionOf(name, file), null),
    success: [204, 404],
    grade: 'irreversible',
  })
  const names = [...Object.keys(credentialKeys)]
  return has('credentials')
    ? [
        { ...remove('credentials'), action: 'update', footprint: { affects: names } },
        { ...remove('config'), action: 'delete' },
      ]
    : [{ ...remove('config'), action: 'delete' }]
}

const listProfiles = async (machine: Machine, scope: readonly Target[], deps: ReadDeps) => {
  const pairs = new Map<string, JsonObject>()
  for (const each of [...scope.map(({ attributes }) => attributes), {}] as readonly JsonObject[]) {
    const files = {
      credentialsFile: each['credentialsFile'] ?? '.aws/credentials',
      configFile: each['configFile'] ?? '.aws/config',
    }
    pairs.set(JSON.stringify(files), files)
  }
  const objects: Listed[] = []
  const unlisted: UnlistedPlace[] = []
  for (const files of pairs.values()) {
    const names = new Set<string>()
    for (const [member, file] of Object.entries(files)) {
      const place = placeFor(machine, file)
      const asked = 'kind' in place ? place : await askText(place, deps)
      if (asked.kind === 'unknown')
        unlisted.push({ within: { [member]: file }, reason: asked.reason, detail: asked.detail })
      if (asked.kind !== 'text') continue
      for (const section of sectionNames(parseText(asked.text))) {
        const name = member === 'credentialsFile' ? section : nameIn(section)
        if (name !== undefined) names.add(name)
      }
    }
    for (const name of names) objects.push({ identity: { name, ...files } })
  }
  return { kind: 'listed' as const, objects, unlisted }
}

/** Other sections of the configuration, such as `[sso-session x]`, are no profiles. */
const nameIn = (section: string): string | undefined =>
  section === 'default' ? section : /^profile\s+(\S.*)$/.exec(section)?.[1]
