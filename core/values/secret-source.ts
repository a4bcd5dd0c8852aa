import type { Diagnostic } from '../schema/issue.ts'
import { defined } from './defined.ts'
import { secretRefusals } from './words.ts'

export const secretKinds = ['env', 'file', 'ssm', 'secretsmanager'] as const
export type SecretKind = (typeof secretKinds)[number]

/** `<kind>:<name>#<member>`. */
export interface SecretSource {
  readonly kind: SecretKind
  readonly name: string
  /** Of a secret that is a JSON object. */
  readonly member?: string
}

/** `undefined` where the text is no source. */
export const parseSecretSource = (text: string): SecretSource | undefined => {
  const [, prefix, name, member] = /^([a-z]+):([^#]+)(?:#(.+))?$/s.exec(text) ?? []
  const kind = secretKinds.find((each) => each === prefix)
  if (kind === undefined || name === undefined) return undefined
  return { kind, name, ...defined({ member }) }
}

/** What the secrets of a workspace may be, where other people's workspaces run in the same place. */
export interface SecretRules {
  readonly kinds: readonly SecretKind[]
  /** In Parameter Store and Secrets Manager. `{workspace}` stands for the workspace; a `*` at the end for any text. */
  readonly names: readonly string[]
}

/** Parameter Store writes a name with a slash in front, its ARN without. */
const plainName = ({ kind, name }: SecretSource): string => (kind === 'ssm' ? name.replace(/^\//, '') : name)

const fits = (pattern: string, name: string): boolean =>
  pattern.endsWith('*') ? name.length >= pattern.length && name.startsWith(pattern.slice(0, -1)) : name === pattern

/** Why a workspace may not read a secret; `undefined` where it may. Other spellings of an allowed name are refused. */
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
