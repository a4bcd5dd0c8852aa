import pLimit from 'p-limit'
import type { SourcedBundle } from '../../../engine/config/files/source.ts'
import { parseDocument } from '../../../engine/config/syntax/parse-document.ts'
import { writeResources } from '../../../engine/config/write-resources.ts'
import { normalise } from '../../../engine/diff/normalise.ts'
import { isAppError } from '../../../engine/errors/errors.ts'
import { pathText } from '../../../engine/json/pointer.ts'
import type { Attribute } from '../../../engine/schema/attribute.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../engine/schema/json.ts'
import type { ImportedResource, ImportReport, UnreadObject } from '../../../engine/schema/reports/import-report.ts'
import type { Address } from '../../../engine/schema/resource.ts'
import { changedPaths } from '../../../engine/values/changed-paths.ts'
import { defined } from '../../../engine/values/defined.ts'
import { pick } from '../../../engine/values/members.ts'
import type { Deps } from '../../../engine/workflows/deps.ts'
import { openSession, type Session } from '../../../engine/workflows/session/open-session.ts'
import type { ResourcePlan } from '../../../engine/workflows/session/plan/observation.ts'
import { readObject, resolveTarget } from '../../../engine/workflows/session/read/read-object.ts'
import { chooseTargets, type ImportRequest } from './choose-targets.ts'
import { hasSameParents, isWithin, type KnownObject, keysOf, referredAttribute } from './known-object.ts'
import { declaredIn, listObjects } from './list-objects.ts'
import { nameObjects } from './name-objects.ts'
import { type Replace, specOf } from './spec-of.ts'
import { withNames } from './with-names.ts'
import { noObject } from './words.ts'

/**
 * Creates configuration for existing objects. Sends reads only and stores nothing. Throws USAGE, CONFIG_NOT_FOUND or
 * CONFIG_INVALID.
 */
export const importObjects = async (request: ImportRequest, deps: Deps): Promise<ImportReport> => {
  const { workspace, where } = request
  const session = await openSession(workspace, deps)
  const listed = await listObjects(session, chooseTargets(session.loaded, request), where, deps.seal)
  const read = await readAll(session, listed.objects, deps)
  const present = read.flatMap((each) => ('type' in each ? [] : [each.object])).filter((each) => isWithin(each, where))
  const resources = await write(session, present)
  const text = resources.length === 0 ? '' : writeResources(resources)
  const nothing = { differing: [], unchecked: [], issues: [] }
  return {
    workspace,
    resources,
    text,
    managed: listed.managed,
    unlisted: listed.unlisted,
    unread: read.flatMap((each) => ('type' in each ? [each] : [])),
    ...(resources.length === 0 ? nothing : await checkImport(workspace, { text, resources }, deps)),
  }
}

type ReadOne = { readonly object: KnownObject } | UnreadObject

const readAll = (session: Session, objects: readonly KnownObject[], deps: Deps): Promise<readonly ReadOne[]> => {
  const limit = pLimit(deps.limits.concurrency)
  let done = 0
  return Promise.all(
    objects.map((object) =>
      limit(async () => {
        const read = await readOne(session, object, deps)
        done += 1
        deps.progress?.({ step: 'reading', done, total: objects.length })
        return read
      }),
    ),
  )
}

const readOne = async (
  { transports }: Pick<Session, 'transports'>,
  object: KnownObject,
  deps: Deps,
): Promise<ReadOne> => {
  const { type, provider, attributes, ids } = object
  const named = { address: `${type.name}.*`, attributes, ...defined({ ids }) }
  const transport = transports.of(provider).cachedRead
  const found = await resolveTarget(type, named, transport, transports)
  const target = found.kind === 'resolved' ? { ...named, attributes: found.attributes, refs: found.refs } : named
  const { result } =
    found.kind === 'unresolved' ? found : await readObject(type, target, {}, { transport }, deps.seal, transports)
  const unread = { type: type.name, provider, identity: attributes }
  if (result.kind === 'absent') return { ...unread, reason: 'absent', detail: noObject }
  if (result.kind === 'unknown') return { ...unread, reason: result.reason, detail: result.detail }
  return {
    object: {
      ...object,
      attributes: normalise(type.schema, { ...attributes, ...result.attributes }, 'observed'),
      ...defined({ ids: result.ids }),
    },
  }
}

const write = async (session: Session, objects: readonly KnownObject[]): Promise<readonly ImportedResource[]> => {
  const { configuration, providers } = session.loaded
  const taken = new Set(configuration.resources.map(({ address }) => address))
  const identities = objects.map(async (object) => {
    const keys = await withNames(session, object, pick(object.attributes, keysOf(object.type)))
    return { type: object.type.name, identity: keysOf(object.type).map((key) => keys[key] ?? null) }
  })
  const names = nameObjects(await Promise.all(identities), taken)
  const named = objects.map((object, index) => {
    const name = names[index] ?? ''
    return { ...object, name, address: `${object.type.name}.${name}` }
  })
  const declared = declaredIn(session).flatMap(presentObject)
  const refer = createReferrer([...declared, ...named])
  const written = named.map(async (object): Promise<ImportedResource> => {
    const { type, provider, name, address } = object
    const owners = [...providers.values()].filter(({ types }) => Object.hasOwn(types, type.name))
    const { spec, leftOut } = specOf(type.schema, object.attributes, refer(object))
    return {
      address,
      type: type.name,
      name,
      ...defined({ provider: owners.length > 1 ? provider : undefined }),
      spec: await withNames(session, object, spec),
      ...defined({ takenOver: type.lifecycle?.adopt === false ? await idOf(session, object) : undefined }),
      leftOut,
    }
  })
  return Promise.all(written)
}

/** By what an entry under `import` finds the object. */
const idOf = async (session: Session, object: KnownObject): Promise<JsonObject> =>
  object.ids ?? (await withNames(session, object, pick(object.attributes, keysOf(object.type))))

/** Returns a declared resource only if its object exists: a reference to a missing one would change the plan. */
const presentObject = ({ type, target, provider, observed: { result } }: ResourcePlan) =>
  type === undefined || result.kind !== 'present'
    ? []
    : [
        {
          provider,
          type,
          attributes: normalise(type.schema, result.attributes, 'observed'),
          ...defined({ ids: result.ids }),
          address: target.address,
        },
      ]

interface ImportedOwner extends KnownObject {
  readonly address: Address
}

/**
 * Replaces values that identify another object with references; an ambiguous value, or one that would make a cycle,
 * stays.
 */
const createReferrer = (objects: readonly ImportedOwner[]): ((owner: ImportedOwner) => Replace) => {
  const edges = new Map<Address, Set<Address>>()
  const byType = Map.groupBy(objects, ({ provider, type }) => `${provider} ${type.name}`)
  const reaches = (from: Address, to: Address, seen: Set<Address>): boolean => {
    if (from === to) return true
    if (seen.has(from)) return false
    seen.add(from)
    return [...(edges.get(from) ?? [])].some((next) => reaches(next, to, seen))
  }
  const referTo = (owner: ImportedOwner, { refersTo }: Attribute, value: Json): string | undefined => {
    if (refersTo === undefined) return undefined
    const candidates = byType.get(`${owner.provider} ${refersTo.type}`) ?? []
    const meant = candidates.flatMap((object) => {
      const name = referredAttribute(object, refersTo, value)
      const isHere = name !== undefined && hasSameParents(object, owner.type.schema.attributes, owner.attributes)
      return isHere ? [{ address: object.address, name }] : []
    })
    const [only, another] = meant
    if (only === undefined || another !== undefined || reaches(only.address, owner.address, new Set())) return undefined
    edges.set(owner.address, (edges.get(owner.address) ?? new Set()).add(only.address))
    return `\${resource.${only.address}${stepText(only.name)}}`
  }
  return (owner) => (attribute, value) => referTo(owner, attribute, value)
}

const stepText = (name: string): string => (/^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)

type ImportCheck = Pick<ImportReport, 'differing' | 'unchecked' | 'issues'>

/** Plans the written configuration: everything is read again, so that moving values are found. Nothing is stored. */
const checkImport = async (
  workspace: string,
  { text, resources }: Pick<ImportReport, 'text' | 'resources'>,
  deps: Deps,
): Promise<ImportCheck> => {
  const bundle = withResources(await deps.config.load(workspace), text)
  const own = new Set(resources.map(({ address }) => address))
  try {
    const { plan } = await openSession(workspace, { ...deps, config: { load: async () => bundle } })
    return {
      differing: plan.changes
        .filter(({ address }) => own.has(address))
        .map(({ address, diff, blocked }) => ({
          address,
          paths: changedPaths(diff).map(pathText),
          ...defined({ blocked: blocked?.detail }),
        })),
      unchecked: plan.unchecked
        .filter(({ address }) => own.has(address))
        .map(({ address, detail }) => ({ address, detail })),
      issues: [],
    }
  } catch (error) {
    if (isAppError(error, 'CONFIG_INVALID')) return { differing: [], unchecked: [], issues: error.payload.issues }
    throw error
  }
}

const listIn = (value: Json | undefined, name: 'resources' | 'import'): readonly Json[] => {
  const list = isObject(value) ? value[name] : undefined
  return isArray(list) ? list : []
}

const parsed = (file: string, text: string): Json | undefined => parseDocument(file, text).value

const withResources = ({ entry, files, ...rest }: SourcedBundle, text: string): SourcedBundle => {
  const { [entry]: written = '', ...others } = files
  const before = parsed(entry, written)
  const added = parsed('imported.yaml', text)
  const both = (name: 'resources' | 'import'): readonly Json[] => [...listIn(before, name), ...listIn(added, name)]
  const whole: JsonObject = {
    ...(isObject(before) ? before : {}),
    resources: both('resources'),
    ...(both('import').length > 0 && { import: both('import') }),
  }
  return { ...rest, entry: 'plumbline.json', files: { ...others, 'plumbline.json': JSON.stringify(whole, null, 1) } }
}
