import type { Configuration } from '../../../config/configuration.ts'
import type { SourcedBundle } from '../../../config/files/source.ts'
import { parseDocument } from '../../../config/syntax/parse-document.ts'
import { findIdleRules } from '../../../plan/ignore-rules.ts'
import type { Issue } from '../../../schema/issue.ts'
import type { IdleRule } from '../../../schema/plan.ts'
import { suggest } from '../../../values/texts/nearest-word.ts'
import type { Deps } from '../../deps.ts'
import { loadWorkspaceLater } from './load-later.ts'
import { typeOf } from './loaded-workspace.ts'

export interface Reviewed {
  readonly configuration: Configuration
  /** Of what is valid and has no effect. */
  readonly warnings: readonly Issue[]
}

/** Checks files; nothing is stored or read, not even what is recorded. Throws CONFIG_INVALID with every issue. */
export const reviewBundle = async (
  bundle: SourcedBundle,
  deps: Pick<Deps, 'providers'> & { readonly clock: Pick<Deps['clock'], 'now'> },
): Promise<Reviewed> => {
  const loaded = await loadWorkspaceLater(bundle, deps)
  const { configuration } = loaded
  const subjects = configuration.resources.map(({ address, provider, type }) => ({
    address,
    schema: typeOf(loaded, provider, type)?.schema,
  }))
  const entry = parseDocument(bundle.entry, bundle.files[bundle.entry] ?? '')
  const names = subjects.map(({ address }) => address)
  const today = deps.clock.now().toISOString().slice(0, 10)
  const warnings = configuration.ignore.flatMap((rule, index) =>
    findIdleRules([rule], subjects, today).map((idle) => ({
      ...entry.locate(['ignore', index]),
      ...warningOf(idle, names),
    })),
  )
  return { configuration, warnings }
}

const warningOf = (
  { why, address, path = '', expires }: IdleRule,
  addresses: readonly string[],
): Pick<Issue, 'message' | 'value' | 'fix'> =>
  ({
    expired: {
      message: 'this ignore rule is void: its day has come',
      value: expires ?? '',
      fix: 'remove it, or give it a later day',
    },
    no_resource: {
      message: 'this ignore rule names no declared resource',
      value: address,
      fix: suggest(address, addresses, 'remove it'),
    },
    no_attribute: {
      message: 'this ignore rule names no attribute of the resources that it means',
      value: path,
      fix: 'write the path as the plan shows it, or remove the rule',
    },
  })[why]
