import { host, machine } from './machine/machine.ts'
import type { ProviderRegistry } from './provider.ts'
import { rest } from './rest/rest.ts'

/** The values of `source:` in a provider entry. */
export const providers: ProviderRegistry = { host, machine, rest }
