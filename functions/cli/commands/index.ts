import { acceptCommand } from './accept.ts'
import { applyCommand } from './apply.ts'
import { checkCommand } from './check/check.ts'
import type { CommandDefinition } from './command.ts'
import { devCommand } from './dev.ts'
import { graphCommand } from './graph.ts'
import { importCommand } from './import.ts'
import { ledgerCommands } from './ledger.ts'
import { permissionsCommand } from './permissions.ts'
import { providerCheckCommand } from './provider/check.ts'
import { providerInitCommand } from './provider/init.ts'
import { providerProbeCommand } from './provider/probe.ts'
import { renderCommand } from './render.ts'
import { runsCommand } from './runs.ts'
import { showCommand } from './show.ts'
import { stateCommands } from './state.ts'
import { validateCommand } from './validate.ts'
import { listCommand } from './workspace/list.ts'
import { previewCommands } from './workspace/preview.ts'
import { sourceCommands } from './workspace/source.ts'
import { versionCommands } from './workspace/versions.ts'
import { workspaceCommands } from './workspace/workspace.ts'

/** The first words of the commands that have two, with their summaries. */
export const groups: Readonly<Record<string, string>> = {
  ledger: 'list, verify and export the ledger',
  state: 'list, export and correct what is recorded',
  workspace: 'store, list, pause and remove workspaces',
  source: 'read configurations from a Git repository',
  provider: 'write, check and try provider documents',
}

/** In the order of the help. */
export const commands: readonly CommandDefinition[] = [
  validateCommand,
  checkCommand,
  showCommand,
  applyCommand,
  graphCommand,
  permissionsCommand,
  acceptCommand,
  importCommand,
  listCommand,
  ...previewCommands,
  runsCommand,
  ...ledgerCommands,
  ...stateCommands,
  ...workspaceCommands,
  ...versionCommands,
  ...sourceCommands,
  providerCheckCommand,
  providerInitCommand,
  providerProbeCommand,
  renderCommand,
  devCommand,
]
