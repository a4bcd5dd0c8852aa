import { registerApply } from './apply.ts'
import { registerCheck } from './check.ts'
import type { Register } from './command.ts'
import { registerDev } from './dev.ts'
import { registerImport } from './import.ts'
import { registerLedgerExport, registerLedgerList, registerLedgerVerify } from './ledger.ts'
import { registerProviderCheck } from './provider/check.ts'
import { registerProviderInit } from './provider/init.ts'
import { registerProviderProbe } from './provider/probe.ts'
import { registerRender } from './render.ts'
import { registerRuns } from './runs.ts'
import { registerShow } from './show.ts'
import { registerValidate } from './validate.ts'
import {
  registerWorkspaceList,
  registerWorkspacePause,
  registerWorkspacePush,
  registerWorkspaceRemove,
  registerWorkspaceResume,
} from './workspace.ts'

/** In the order of the help. */
export const commands: readonly Register[] = [
  registerValidate,
  registerCheck,
  registerShow,
  registerApply,
  registerImport,
  registerRuns,
  registerLedgerList,
  registerLedgerVerify,
  registerLedgerExport,
  registerWorkspacePush,
  registerWorkspaceList,
  registerWorkspacePause,
  registerWorkspaceResume,
  registerWorkspaceRemove,
  registerProviderCheck,
  registerProviderInit,
  registerProviderProbe,
  registerRender,
  registerDev,
]
