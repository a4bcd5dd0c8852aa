import type { ProviderRegistry } from '../engine/provider/provider.ts'
import { github } from './github/github.ts'
import { host, machine } from './machine/machine.ts'
import { notHere } from './npm/not-here.ts'
import { rest } from './rest/rest.ts'

/** The values of `source:` in a provider entry; `npm` is for every `npm:...`. */
export const providers: ProviderRegistry = { github, host, machine, npm: notHere, rest }
