import type { Configured, ProviderFactory, ProviderInput, ProviderLimits, ResourceType } from '../provider.ts'
import { schemaOf } from './attributes.ts'
import { commandsFor } from './commands.ts'
import { configureContext } from './configure.ts'
import type { TypeContext } from './context.ts'
import { discoverObjects, listedWithin } from './discover-objects.ts'
import type { RestResource } from './document.ts'
import type { RestSettings } from './document-provider.ts'
import { withProviderDefaults } from './operation-defaults.ts'
import { parseDocument } from './parse-document.ts'
import { readResource } from './read-resource.ts'
import { validateAttributes } from './validate-attributes.ts'

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
  if (!configured.ok) return configured
  const { context } = configured
  const types = Object.entries(parsed.document.resources).map(([name, written]) => {
    const resource = { ...written, operations: operationsOf(context.settings, written) }
    return [name, resourceType({ ...context, name, resource })] as const
  })
  const tls = context.tls === undefined ? {} : { tls: context.tls }
  return {
    ok: true,
    provider: { source: 'rest', limits: limitsOf(context.settings), ...tls, types: Object.fromEntries(types) },
  }
}

const operationsOf = (settings: RestSettings, { operations }: RestResource): RestResource['operations'] =>
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, withProviderDefaults(settings, operation)]),
  )

const periods = { second: 1_000, minute: 60_000, hour: 3_600_000 } as const

const limitsOf = ({ timeoutMs, maxBodyBytes, concurrency, rate }: RestSettings): ProviderLimits => ({
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
  ...(concurrency === undefined ? {} : { concurrency }),
  ...(rate === undefined ? {} : { rate: { requests: rate.requests, perMs: periods[rate.per], burst: rate.burst } }),
})

const resourceType = (context: TypeContext): ResourceType => {
  const { name, resource } = context
  const { discover } = resource
  return {
    name,
    schema: schemaOf(resource),
    lifecycle: lifecycleOf(resource.lifecycle ?? {}),
    read: (target, deps) => readResource(context, target, deps),
    commands: (change) => commandsFor(context, change),
    validate: (attributes) => validateAttributes(context, attributes),
    ...(discover === undefined
      ? {}
      : {
          listWithin: listedWithin(context, discover),
          list: (scope, deps) => discoverObjects(context, discover, scope, deps),
        }),
  }
}

const lifecycleOf = ({
  replace,
  ...rest
}: NonNullable<TypeContext['resource']['lifecycle']>): NonNullable<ResourceType['lifecycle']> => ({
  ...rest,
  ...(replace === undefined ? {} : { replaceOrder: replace.order }),
})
