import { defined } from '../../values/defined.ts'
import type { Configured, ProviderFactory, ProviderInput, ProviderLimits, ResourceType } from '../provider.ts'
import { parseDocument } from './check/parse-document.ts'
import { checkInputParts } from './check/provider.ts'
import { refuseSignIn } from './check/sign-in.ts'
import { allEntries, schemaOf } from './document/attributes.ts'
import { withInputs, withLeftOut, withProviderDefaults } from './document/defaults.ts'
import { isKept, type RestResource, toldIds } from './document/document.ts'
import type { RestSettings } from './document/provider.ts'
import { namedResources, refsIn } from './document/references.ts'
import { sightOf } from './read/ask-sight.ts'
import { discoverObjects, listedBy, listedWithin } from './read/discover-objects.ts'
import { isReadableById } from './read/find-object.ts'
import { readResource } from './read/read-resource.ts'
import { resolveRefs } from './read/resolve-refs.ts'
import { configureContext, withDefaults } from './request/configure.ts'
import { signInOf } from './request/configure-auth.ts'
import { type Context, type TypeContext, withRefs } from './request/context.ts'
import { commandsFor } from './write/commands.ts'
import { validateAttributes } from './write/validate-attributes.ts'

/** Any HTTP API, as a provider document describes it. */
export const rest: ProviderFactory = {
  source: 'rest',
  configure: (input) => configureRest(input),
}

const configureRest = (input: ProviderInput): Configured => {
  const { definition, position } = input
  if (definition === undefined) {
    const message = `the provider "${input.alias}" names no provider document`
    return { ok: false, issues: [{ ...position, message, fix: 'add definition: ./<name>.provider.yaml' }] }
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
  const signIn = context.auth && signInOf(context.auth)
  const refused = signIn === undefined ? undefined : refuseSignIn(parsed.document, signIn, context.baseUrl)
  if (refused !== undefined) {
    const { path: _, ...diagnostic } = refused
    return { ok: false, issues: [{ ...position, ...diagnostic }] }
  }
  const all = mapEach(parsed.document.resources, (written) => ({
    ...withLeftOut(settings, withInputs(written, context.inputs)),
    operations: mapEach(written.operations, (operation) => withProviderDefaults(settings, operation)),
  }))
  const resolvers = mapEach(parsed.document.resolvers ?? {}, (resolver) => ({
    ...resolver,
    ...defined({
      list: resolver.list && withProviderDefaults(settings, resolver.list),
      retrieve: resolver.retrieve && withProviderDefaults(settings, resolver.retrieve),
    }),
  }))
  const types = mapEach(all, (resource, name) => resourceType({ ...context, name, resource, types: all, resolvers }))
  const { tls, socket } = context
  const reach = defined({ tls, socket })
  const place = placeOf(context)
  const limits = limitsOf(context.settings)
  return { ok: true, provider: { source: 'rest', place, mayHide: true, ...sightOf(context), limits, ...reach, types } }
}

/** At a socket the host of a URL is a word for the server, whatever it is. */
const placeOf = ({ baseUrl, socket }: Context): string =>
  socket === undefined ? baseUrl : `unix:${socket.path}${new URL(baseUrl).pathname.replace(/\/$/, '')}`

const mapEach = <In, Out>(
  members: Readonly<Record<string, In>>,
  change: (member: In, name: string) => Out,
): Readonly<Record<string, Out>> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member, name)]))

const periods = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const

const limitsOf = ({ timeoutMs, maxBodyBytes, concurrency, rate, redirects }: RestSettings): ProviderLimits =>
  defined({
    otherOrigins: redirects === 'anyOrigin' ? true : undefined,
    timeoutMs,
    maxBodyBytes,
    concurrency,
    rate: rate && { requests: rate.requests, perMs: periods[rate.per], burst: rate.burst },
  })

const resourceType = (context: TypeContext): ResourceType => {
  const { name, resource } = context
  const { discover } = resource
  return {
    name,
    schema: schemaOf(resource),
    idNames: Object.keys(resource.serverId ?? {}),
    identity: identityOf(resource),
    lifecycle: lifecycleOf(resource),
    ...(hasRefs(resource)
      ? {
          resolve: (target, deps) => resolveRefs({ ...context, ...deps }, target),
          named: (attributes) => namedResources(context, attributes),
        }
      : {}),
    read: (target, deps) => readResource({ ...withRefs(context, target.refs), ...deps }, target),
    commands: (change) => commandsFor(withRefs(context, change.refs), change),
    validate: (attributes) => validateAttributes(context, attributes),
    ...(discover === undefined
      ? {}
      : {
          listWithin: listedWithin(context, discover),
          listBy: listedBy(context, discover),
          list: (scope, deps) => discoverObjects({ ...context, ...deps }, discover, scope),
        }),
  }
}

const identityOf = (resource: RestResource): NonNullable<ResourceType['identity']> => {
  const { serverId = {}, identity, lifecycle } = resource
  const hasIds = Object.keys(serverId).length > 0
  return {
    ...defined({ ids: hasIds ? identity.ids : undefined }),
    readable: isReadableById(resource),
    ...defined({
      told: toldIds(resource).length === 0 ? undefined : toldIds(resource),
      followsKeys: isKept(resource) ? true : undefined,
      isShared: lifecycle?.mode === 'reference' ? true : undefined,
    }),
  }
}

const hasRefs = (resource: RestResource): boolean =>
  Object.values(allEntries(resource)).some((entry) => refsIn(entry).length > 0)

const lifecycleOf = (resource: RestResource): NonNullable<ResourceType['lifecycle']> => {
  const { preventDelete = isKept(resource), onImmutable, replace, adopt } = resource.lifecycle ?? {}
  return defined({
    preventDelete: preventDelete ? preventDelete : undefined,
    onImmutable,
    replaceOrder: replace?.order,
    adopt,
  })
}
