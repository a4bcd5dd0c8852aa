import { digest, digestOfText } from '../../engine/json/digest.ts'
import type { Configured, ProviderFactory, ProviderInput, ResourceType } from '../../engine/provider/provider.ts'
import type { Json } from '../../engine/schema/json.ts'
import type { ProviderLimits } from '../../engine/transport/limits/provider-limits.ts'
import type { Quota } from '../../engine/transport/limits/quota.ts'
import { defined } from '../../engine/values/defined.ts'
import { mapMembers, unlessEmpty } from '../../engine/values/members.ts'
import { parseDocument } from './check/parse-document.ts'
import { checkInputParts } from './check/provider.ts'
import { refuseSignIn } from './check/sign-in.ts'
import type { LimitsEntry } from './document/api/limits.ts'
import type { RestSettings } from './document/api/provider.ts'
import { allEntries, schemaOf } from './document/attributes.ts'
import type { Audit } from './document/audit.ts'
import { withLeftOut, withProviderDefaults, withReferences, withRules } from './document/defaults.ts'
import { deleteOf, isKept, type RestDocument, type RestResource, toldIds } from './document/document.ts'
import { isReadableById } from './document/ids.ts'
import { namesCaller } from './document/me.ts'
import { isRead, type Operation } from './document/operation/operation.ts'
import { permissionsOf, usualLevels } from './document/permissions.ts'
import { isLink, leadsOf, namedInRequests, namedResources, namesOthers, refsIn, usesOf } from './document/references.ts'
import { variablesOf } from './document/shared/template.ts'
import { type AskMe, meOf } from './read/caller/ask-me.ts'
import { sightOf } from './read/caller/ask-sight.ts'
import { forCaller, isUnknown, withCaller } from './read/caller/known-caller.ts'
import { discoverObjects, listedBy, listedWithin } from './read/discover-objects.ts'
import { withoutExpansion } from './read/expansion.ts'
import { foreseeRequests } from './read/foresee-requests.ts'
import { readResource } from './read/read-resource.ts'
import { nameRefs, resolveRefs } from './read/refs/resolve-refs.ts'
import { traceChanges } from './read/trace-changes.ts'
import { amongOf } from './request/among.ts'
import { configureContext, withDefaults } from './request/configure.ts'
import { signInOf } from './request/configure-auth.ts'
import { callerIn, type RestContext, type TypeContext, withRefs } from './request/context.ts'
import { homeOf, tenantOf } from './request/home.ts'
import { siteOf } from './request/object-site.ts'
import { withinOf } from './request/within.ts'
import { refusals } from './request/words.ts'
import { commandsFor } from './write/commands.ts'
import { contentionOf } from './write/contention.ts'
import { validateAttributes } from './write/validate-attributes.ts'

/** Any HTTP API, as a provider document describes it. */
export const rest: ProviderFactory = { configure: (input) => configureRest(input) }

const configureRest = (input: ProviderInput): Configured => {
  const { definition, position } = input
  if (definition === undefined) {
    return { ok: false, issues: [{ ...position, ...refusals.noDefinition(input.alias) }] }
  }
  const parsed = parseDocument(definition)
  if (!parsed.ok) return parsed
  const configured = configureContext(parsed.document.provider, input)
  const lacking = checkInputParts(definition, withDefaults(parsed.document.provider, input.with))
  if (!configured.ok || lacking.length > 0) {
    return { ok: false, issues: [...(configured.ok ? [] : configured.issues), ...lacking] }
  }
  const { context } = configured
  const { settings } = context
  const signIn = signInOf(context)
  const refused = signIn === undefined ? undefined : refuseSignIn(parsed.document, signIn, context.baseUrl)
  if (refused !== undefined) {
    const { path: _, ...diagnostic } = refused
    return { ok: false, issues: [{ ...position, ...diagnostic }] }
  }
  const asked = (operation: Operation): Operation => withProviderDefaults(settings, operation)
  const whole = mapMembers(parsed.document.resources, (written) => ({
    ...withLeftOut(settings, withRules(written, 'with', context.inputs)),
    operations: mapMembers(written.operations, (operation) => withPermissions(written, asked(operation))),
  }))
  const all = mapMembers(whole, (resource) => withReferences(resource, whole))
  const resolvers = mapMembers(parsed.document.resolvers ?? {}, ({ list, retrieve, ...resolver }) => ({
    ...resolver,
    ...defined({ list: list && asked(list), retrieve: retrieve && asked(retrieve) }),
  }))
  const askMe = meOf(context)
  const types = mapMembers(all, (resource, name) =>
    resourceType({ ...context, name, resource, types: all, resolvers }, askMe),
  )
  const { tls, socket } = context
  const limits = limitsOf(settings)
  const keeps = asksConditionally(parsed.document)
    ? { version: versionOf(parsed.document, definition.value) }
    : undefined
  const { permissionLevels = usualLevels } = parsed.document.provider
  const home = homeOf(context, placeOf(context), all)
  const told = { place: placeOf(context), home, mayHide: true as const, ...sightOf(context), limits, permissionLevels }
  const provider = { ...told, types }
  return { ok: true, provider: { ...provider, ...defined({ caller: askMe, tls, socket, keeps }) } }
}

const versions = new WeakMap<RestDocument, string>()

/** The digest of a document, which is taken once: documents are large and stay the same from check to check. */
const versionOf = (document: RestDocument, value: Json): string => {
  const version = versions.get(document) ?? digest(value)
  versions.set(document, version)
  return version
}

/** What an operation does not say of itself, its type says. */
const withPermissions = ({ permissions }: RestResource, operation: Operation): Operation => ({
  ...operation,
  ...defined({ permissions: operation.permissions ?? permissions?.[isRead(operation) ? 'read' : 'write'] }),
})

const asksConditionally = ({ provider, resources }: RestDocument): boolean =>
  provider.reads.conditional !== undefined ||
  Object.values(resources).some(({ operations }) =>
    Object.values(operations).some(({ conditional = 'none' }) => conditional !== 'none'),
  )

/** At a socket the host of a URL does not choose the server. */
const placeOf = ({ baseUrl, socket }: RestContext): string =>
  socket === undefined ? baseUrl : `unix:${socket.path}${new URL(baseUrl).pathname.replace(/\/$/, '')}`

const periods = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const

const limitsOf = ({
  timeoutMs,
  maxBodyBytes,
  concurrency,
  writeConcurrency,
  rate,
  redirects,
  limits,
}: RestSettings): ProviderLimits =>
  defined({
    otherOrigins: redirects === 'anyOrigin' || undefined,
    timeoutMs,
    maxBodyBytes,
    concurrency,
    writeConcurrency,
    quota: limits && quotaOf(limits),
    rate: rate && { requests: rate.requests, perMs: periods[rate.per], burst: rate.burst },
  })

const quotaOf = ({ headers, refused, reserve, points, writePauseMs }: LimitsEntry): Quota => ({
  statuses: refused?.statuses ?? [],
  words: refused?.words ?? [],
  reserve,
  ...defined({ headers: headers && lowerCased(headers), points, writePauseMs }),
})

const lowerCased = ({ limit, remaining, reset, resource }: NonNullable<LimitsEntry['headers']>): Quota['headers'] => ({
  remaining: remaining.toLowerCase(),
  reset: reset.toLowerCase(),
  ...defined({ limit: limit?.toLowerCase(), resource: resource?.toLowerCase() }),
})

/** The digest is taken when a record needs it. */
const readingOf = (resource: RestResource): (() => string) => {
  let known: string | undefined
  return () => {
    const parts = resource.parts.map(({ write: _, ...part }) => part)
    const answers = mapMembers(resource.operations, ({ answer }) => answer)
    // A description is for people; an attribute of this name is an object.
    const isText = (name: string, value: unknown): boolean => name === 'description' && typeof value === 'string'
    const facts = JSON.stringify({ parts, answers }, (name, value) => (isText(name, value) ? undefined : value))
    known ??= digestOfText(facts).slice(-16)
    return known
  }
}

const resourceType = (context: TypeContext, askMe: AskMe | undefined): ResourceType => {
  const { name, resource } = context
  const { discover, audit } = resource
  const asked = askMe !== undefined && namesCaller(context) ? askMe : undefined
  const known = forCaller(context, asked)
  return {
    name,
    schema: schemaOf(resource),
    idNames: Object.keys(resource.serverId ?? {}),
    identity: identityOf(resource),
    lifecycle: lifecycleOf(resource),
    ...defined({ withoutApi: resource.withoutApi }),
    ...defined({ permissions: permissionsOf(context), within: unlessEmpty(withinOf(context)) }),
    readBy: namedInRequests(resource),
    leads: (attributes) => leadsOf(context, attributes),
    uses: (attributes) => usesOf(context, attributes),
    ...(isLink(resource, context.types) && { isLink: true as const }),
    siteOf: (object) => siteOf(context, object),
    among: (object) => amongOf(context, object),
    tenant: () => tenantOf(context, resource),
    contention: contentionOf(context),
    lagSeconds: context.settings.reads.lag,
    reading: readingOf(resource),
    ...(asked !== undefined && { caller: asked, callerIn }),
    ...((hasRefs(resource) || asked !== undefined) && {
      resolve: async (target, deps) => {
        const own = await known(deps)
        if (isUnknown(own)) return { kind: 'unresolved', result: own }
        return withCaller(await resolveRefs({ ...own, ...deps }, target), own)
      },
      speak: async (written, attributes, deps) => {
        const own = await known(deps)
        return isUnknown(own) ? written : nameRefs({ ...own, ...deps }, written, attributes)
      },
    }),
    ...(namesOthers(resource) && {
      named: (attributes) => namedResources(context, attributes),
    }),
    read: async (target, deps) => {
      const own = await known(deps, target.refs)
      if (isUnknown(own)) return own
      const reading = { ...withRefs(own, target.refs), ...deps }
      return withoutExpansion(reading, target, await readResource(reading, target))
    },
    foresee: (target) => foreseeRequests(context, target),
    ...defined({ trace: audit && traceWith(audit, known) }),
    commands: (change) => commandsFor(withRefs(context, change.refs), change),
    validate: (attributes) => validateAttributes(context, attributes),
    ...(discover && {
      listWithin: listedWithin(context, discover),
      listBy: listedBy(context, discover),
      list: async (scope, deps) => {
        const own = await known(deps)
        if (isUnknown(own)) return own
        return discoverObjects({ ...own, ...deps }, own.resource.discover ?? discover, scope, deps.shows)
      },
    }),
  }
}

const traceWith =
  (audit: Audit, known: ReturnType<typeof forCaller>): ResourceType['trace'] =>
  async (target, after, deps) => {
    const own = await known(deps, target.refs)
    return isUnknown(own) ? own : traceChanges({ ...own, ...deps }, audit, target, after)
  }

const identityOf = (resource: RestResource): NonNullable<ResourceType['identity']> => {
  const { serverId, identity, lifecycle } = resource
  const told = toldIds(resource)
  return {
    readable: isReadableById(resource),
    ...defined({
      ids: serverId && unlessEmpty(serverId) && identity.ids,
      told: told.length === 0 ? undefined : told,
      followsKeys: isKept(resource) || undefined,
      isShared: lifecycle?.mode === 'reference' || undefined,
    }),
  }
}

const hasRefs = (resource: RestResource): boolean =>
  Object.values(allEntries(resource)).some((entry) => refsIn(entry).length > 0)

/** A PUT to a place of which every attribute is a key. */
const createsByKeys = ({ operations, identity, serverId = {} }: RestResource): boolean => {
  const { create } = operations
  if (create === undefined || !/^PUT$/i.test(create.method)) return false
  const attributes = variablesOf(create.path).map(([first]) => String(first))
  return attributes.every((name) => !Object.hasOwn(serverId, name) && (name === 'with' || identity.keys.includes(name)))
}

const lifecycleOf = (resource: RestResource): NonNullable<ResourceType['lifecycle']> => {
  const { preventDelete = isKept(resource), onImmutable, replace, adopt, access, frozen } = resource.lifecycle ?? {}
  const isDeletable = !isKept(resource) && Object.hasOwn(resource.operations, deleteOf(resource))
  const mayDelete = isDeletable ? (true as const) : undefined
  return defined({
    preventDelete: preventDelete || undefined,
    onImmutable,
    replaceOrder: replace?.order,
    createsByKeys: createsByKeys(resource) || undefined,
    adopt,
    access,
    frozen,
    mayDelete: preventDelete ? mayDelete : undefined,
  })
}
