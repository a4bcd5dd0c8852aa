import { host } from './host/host.ts'
import type { ProviderRegistry } from './provider.ts'
import { rest } from './rest/rest.ts'

/** What `source:` of a provider entry can name. */
export const providers: ProviderRegistry = { host, rest }
