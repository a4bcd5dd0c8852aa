import { versionCommands } from './versions.ts'
import { workspaceCommands } from './workspace.ts'

export const commands = [...workspaceCommands, ...versionCommands]
