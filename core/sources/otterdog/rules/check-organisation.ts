import { valueAt } from '../../../engine/json/pointer.ts'
import type { Diagnostic } from '../../../engine/schema/issue.ts'
import type { Json, Path } from '../../../engine/schema/json.ts'
import { defined } from '../../../engine/values/defined.ts'
import { shorten } from '../../../engine/values/texts/shorten.ts'
import type { Organisation } from '../shape/organisation.ts'
import { nameRules } from './names.ts'
import { organisationRules } from './organisation.ts'
import { protectionRules } from './protection.ts'
import { repositoryRules } from './repositories.ts'
import type { Level, Observed, Rule } from './rule.ts'
import { rulesetRules } from './rulesets.ts'
import { secretRules } from './secrets.ts'
import { type Subject, subjectsIn } from './subjects.ts'
import { workflowRules } from './workflows.ts'

/** All rules of an organisation file. */
export const rules: readonly Rule[] = [
  ...organisationRules,
  ...workflowRules,
  ...secretRules,
  ...rulesetRules,
  ...protectionRules,
  ...repositoryRules,
  ...nameRules,
]

/** What a rule found, with the path in the file. */
export interface Broken extends Diagnostic {
  readonly level: Level
  readonly path: Path
}

const byKind = Map.groupBy(rules, ({ subject }) => subject)

/** Values of secrets are never repeated. */
const isPrivate = ({ kind }: Subject, [first]: Path): boolean =>
  (kind === 'secret' && first === 'value') || (kind === 'webhook' && first === 'secret')

const shownAt = (subject: Subject, at: Path): string | undefined => {
  const value = isPrivate(subject, at) ? undefined : valueAt(subject.value as unknown as Json, at)
  if (typeof value === 'string') return JSON.stringify(shorten(value, 60))
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** Everything that breaks a rule, before anything is inherited from the organisation. */
export const checkOrganisation = (
  organisation: Organisation,
  {
    observed = {},
    excludedTeams = [],
  }: { readonly observed?: Observed; readonly excludedTeams?: readonly ((slug: string) => boolean)[] } = {},
): readonly Broken[] =>
  subjectsIn(organisation).flatMap((subject) => {
    const { repository } = subject
    const around = { organisation, observed, excludedTeams, ...defined({ repository }) }
    return (byKind.get(subject.kind) ?? []).flatMap((rule) =>
      rule.test(subject.value as never, around).map(({ at, diagnostic, level = rule.level }) => ({
        ...diagnostic,
        code: rule.id,
        ...defined({ value: shownAt(subject, at) }),
        level,
        path: [...subject.path, ...at],
      })),
    )
  })
