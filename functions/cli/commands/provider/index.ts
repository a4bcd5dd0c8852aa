import { providerCheckCommand } from './check.ts'
import { providerInitCommand } from './init.ts'
import { providerProbeCommand } from './probe.ts'

export const commands = [providerCheckCommand, providerInitCommand, providerProbeCommand]
