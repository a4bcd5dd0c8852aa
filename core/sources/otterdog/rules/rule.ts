import type { Diagnostic } from '../../../engine/schema/issue.ts'
import type { Path } from '../../../engine/schema/json.ts'
import type {
  BranchProtectionRule,
  CustomProperty,
  Environment,
  Organisation,
  Repository,
  Role,
  Ruleset,
  Secret,
  Settings,
  Team,
  Variable,
  Webhook,
  Workflows,
} from '../shape/organisation.ts'
import { type FactsOf, type Sentence, say } from './words.ts'

/** What a rule can be about. */
export interface Subjects {
  readonly organisation: Organisation
  readonly settings: Settings
  readonly customProperty: CustomProperty
  /** Of the organisation, or of a repository. */
  readonly workflows: Workflows
  readonly role: Role
  readonly team: Team
  readonly webhook: Webhook
  readonly secret: Secret
  readonly variable: Variable
  readonly ruleset: Ruleset
  readonly branchProtection: BranchProtectionRule
  readonly environment: Environment
  readonly repository: Repository
}

export type SubjectKind = keyof Subjects

/** What was read from GitHub; a part that is missing was not read. */
export interface Observed {
  /** Logins of the members of the organisation. */
  readonly members?: readonly string[]
  /** The languages that GitHub found, by repository. */
  readonly languages?: Readonly<Record<string, readonly string[]>>
}

/** What is around a subject. */
export interface Around {
  readonly organisation: Organisation
  /** That has the subject; missing for a subject of the organisation. */
  readonly repository?: Repository
  readonly observed: Observed
  /** Patterns of the slugs of teams that are not managed. */
  readonly excludedTeams: readonly ((slug: string) => boolean)[]
}

/** `error` blocks the configuration. */
export type Level = 'error' | 'warning' | 'info'

export interface Finding {
  /** Within the subject. */
  readonly at: Path
  readonly diagnostic: Diagnostic
  /** Instead of that of the rule. */
  readonly level?: Level
}

/** One rule of an organisation file. What a rule says has its id as code. */
export interface Rule<Kind extends SubjectKind = SubjectKind> {
  readonly id: string
  readonly level: Level
  readonly subject: Kind
  /** Every place that breaks it. Fields that are not written break nothing: they are not managed. */
  readonly test: (subject: Subjects[Kind], around: Around) => readonly Finding[]
}

/** The finding, if the condition holds. */
export const when = (condition: boolean | undefined, at: Path, diagnostic: Diagnostic): readonly Finding[] =>
  condition === true ? [{ at, diagnostic }] : []

/** The finding about a text that is none of these; `name`: other words for the field. */
export const notAmong = (
  value: string | null | undefined,
  at: Path,
  allowed: readonly string[],
  name = String(at.at(-1)),
): readonly Finding[] => when(isOutside(value, allowed), at, say('notValid', name, allowed))

/** Makes the rows of a table about one kind of subject. */
export const about = <Kind extends SubjectKind>(subject: Kind) => {
  type Value = Subjects[Kind]
  type Field = keyof Value & string
  const each = (level: Level, id: string, test: Rule<Kind>['test']): Rule =>
    ({ id, level, subject, test }) as unknown as Rule
  /** A rule about one field. The facts of its sentence, where it has some, are made of the subject. */
  const row =
    (level: Level) =>
    <Id extends Sentence>(
      id: Id,
      field: Field,
      isBroken: (value: Value, around: Around) => boolean | undefined,
      ...[factsOf]: FactsOf<Id> extends [] ? [] : [factsOf: (value: Value, around: Around) => FactsOf<Id>]
    ): Rule =>
      each(level, id, (value, around) => {
        if (isBroken(value, around) !== true) return []
        const facts = (factsOf?.(value, around) ?? []) as FactsOf<Id>
        return [{ at: [field], diagnostic: say(id, ...facts) }]
      })
  return {
    error: row('error'),
    warning: row('warning'),
    info: row('info'),
    /** A field with one of a few values. */
    oneOf: (id: string, field: Field, allowed: readonly string[]): Rule =>
      each('error', id, (value) => notAmong(value[field] as string, [field], allowed)),
    /** A rule that may find several places, or other words for each. */
    each,
  }
}

/** Whether a list, text or map is written and has something in it. */
export const isFilled = (value: object | string | null | undefined): boolean =>
  value !== undefined && value !== null && Object.keys(value).length > 0

/** Whether a text is written and is none of these. */
export const isOutside = (value: string | null | undefined, allowed: readonly string[]): value is string =>
  typeof value === 'string' && !allowed.includes(value)

/** Whether the plan is written, and below this one. */
export const isPlanWithout = (organisation: Organisation, plans: readonly string[]): boolean =>
  organisation.settings.plan !== undefined && !plans.includes(organisation.settings.plan)

export const isRepositoryName = (text: string): boolean => /^[^/\s]+\/[^/\s]+$/.test(text)
