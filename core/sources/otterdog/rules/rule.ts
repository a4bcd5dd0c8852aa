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

/** Keeps the type of the subject of each rule of a table. */
export const ruleOf = <Kind extends SubjectKind>(
  id: string,
  level: Level,
  subject: Kind,
  test: Rule<Kind>['test'],
): Rule => ({ id, level, subject, test }) as unknown as Rule

/** The finding, if the condition holds. */
export const when = (condition: boolean, at: Path, diagnostic: Diagnostic): readonly Finding[] =>
  condition ? [{ at, diagnostic }] : []

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
