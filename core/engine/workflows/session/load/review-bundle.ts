import type { SourcedBundle } from '../../../config/files/source.ts'
import type { Configuration } from '../../../config/shared/configuration.ts'
import { parseDocument } from '../../../config/syntax/parse-document.ts'
import { findIdleRules } from '../../../plan/ignore-rules.ts'
import type { Issue, Note } from '../../../schema/issue.ts'
import type { DesiredResource } from '../../../schema/resource.ts'
import type { Deps } from '../../deps.ts'
import { coveredBase } from '../rules/covered.ts'
import { typeOf } from '../shared/loaded-workspace.ts'
import { idleRules } from '../shared/words.ts'
import { loadWorkspaceLater } from './load-later.ts'

export interface Reviewed {
  readonly configuration: Configuration
  readonly rules: readonly DesiredResource[]
  /** Valid parts without effect, such as rules. */
  readonly warnings: readonly Issue[]
  readonly notes: readonly Issue[]
}

/** Validates files. Stores nothing and reads nothing, not even records. Throws CONFIG_INVALID with every issue. */
export const reviewBundle = async (
  bundle: SourcedBundle,
  deps: Pick<Deps, 'providers' | 'sources'> & { readonly clock: Pick<Deps['clock'], 'now'> },
): Promise<Reviewed> => {
  const loaded = await loadWorkspaceLater(bundle, deps)
  const { configuration } = loaded
  // Which objects a rule covers is known only where they are listed, so an address of one may be right.
  const named = configuration.ignore.map(({ address }) => address)
  const covered = loaded.rules.flatMap((rule) => {
    const base = coveredBase(rule.type)
    return [base, ...named.filter((each) => each.startsWith(`${base}[`))].map((address) => ({ ...rule, address }))
  })
  const subjects = [...configuration.resources, ...covered].map(({ address, provider, type }) => ({
    address,
    schema: typeOf(loaded, provider, type)?.schema,
  }))
  const entry = parseDocument(bundle.entry, bundle.files[bundle.entry] ?? '')
  const names = subjects.map(({ address }) => address)
  const today = deps.clock.now().toISOString().slice(0, 10)
  const warnings = configuration.ignore.flatMap((rule, index) =>
    findIdleRules([rule], subjects, today).map((idle) => ({
      ...entry.locate(['ignore', index]),
      ...idleRules[idle.why](idle, names),
    })),
  )
  const noted = (level: Note['level']): readonly Issue[] =>
    configuration.notes.filter((note) => note.level === level).map(({ level: _, ...issue }) => issue)
  return { configuration, rules: loaded.rules, warnings: [...warnings, ...noted('warning')], notes: noted('info') }
}
