import type { Diagnostic } from '../schema/issue.ts'
import { defined } from './defined.ts'
import { secretRefusals } from './words.ts'

export const secretKinds = ['env', 'file', 'ssm', 'secretsmanager'] as const
export type SecretKind = (typeof secretKinds)[number]

/** `<kind>:<name>#<member>`. */
export interface SecretSource {
  readonly kind: SecretKind
  readonly name: string
  /** The member to read from a secret that is a JSON object. */
  readonly member?: string
}

/** `undefined` if the text is not a source. */
export const parseSecretSource = (text: string): SecretSource | undefined => {
  const [, prefix, name, member] = /^([a-z]+):([^#]+)(?:#(.+))?$/s.exec(text) ?? []
  const kind = secretKinds.find((each) => each === prefix)
  if (kind === undefined || name === undefined) return undefined
  return { kind, name, ...defined({ member }) }
}

/** For accounts in which workspaces of other people run too. */
export interface SecretRules {
  readonly kinds: readonly SecretKind[]
  /** Names in Parameter Store and Secrets Manager. `{workspace}` is the workspace; a `*` at the end matches any text. */
  readonly names: readonly string[]
}

/** Parameter Store writes a name with a leading slash, but its ARN without the slash. */
const plainName = ({ kind, name }: SecretSource): string => (kind === 'ssm' ? name.replace(/^\//, '') : name)

const fits = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.length >= pattern.length && name.startsWith(pattern.slice(0, -1)) : name === pattern

/** Why a workspace may not read a secret; `undefined` if it may. Other spellings of an allowed name are refused. */
export const whySecretRefused = (
  text: string,
  workspace: string,
  { kinds, names }: SecretRules,
): Diagnostic | undefined => {
  const source = parseSecretSource(text)
  if (source === undefined) return secretRefusals.noSource(kinds)
  if (!kinds.includes(source.kind)) return secretRefusals.otherKind(source.kind, kinds)
  const own = names.map((name) => name.replaceAll('{workspace}', workspace))
  return own.some((pattern) => fits(pattern, plainName(source))) ? undefined : secretRefusals.otherName(workspace, own)
}
