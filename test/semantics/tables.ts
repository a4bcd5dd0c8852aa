import { apply } from './codify/apply.ts'
import { comparison } from './codify/comparison.ts'
import { configuration } from './codify/configuration.ts'
import { defects } from './codify/defects.ts'
import { modes } from './codify/modes.ts'
import { settings } from './codify/settings.ts'
import { command } from './dss-provisioner/command.ts'
import { configuration as dssConfiguration } from './dss-provisioner/configuration.ts'
import { dependencies } from './dss-provisioner/dependencies.ts'
import { plan } from './dss-provisioner/plan.ts'
import { state } from './dss-provisioner/state.ts'
import { questions } from './questions.ts'
import type { Table } from './table.ts'
import { traps } from './waldur/traps.ts'

/** Every section of the page, with the file of its rows; the tests are beside it. */
export const tables: Readonly<Record<string, Table>> = {
  questions,
  'waldur/traps': traps,
  'dss-provisioner/configuration': dssConfiguration,
  'dss-provisioner/dependencies': dependencies,
  'dss-provisioner/state': state,
  'dss-provisioner/plan': plan,
  'dss-provisioner/command': command,
  'codify/configuration': configuration,
  'codify/settings': settings,
  'codify/modes': modes,
  'codify/comparison': comparison,
  'codify/apply': apply,
  'codify/defects': defects,
}
