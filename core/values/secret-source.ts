import type { Diagnostic } from '../schema/issue.ts'
import { defined } from './defined.ts'
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
  if (source === undefined || !kinds.includes(source.kind)) {
    const message =
      source === undefined
        ? 'it names no secret'
        : `where checks run there is no \`${source.kind}:\` to read a secret from`
    return { message, fix: `put it where ${kinds.map((kind) => `\`${kind}:\``).join(' or ')} finds it, and name that` }
  }
  const own = names.map((name) => name.replaceAll('{workspace}', workspace))
  if (own.some((pattern) => fits(pattern, plainName(source)))) return undefined
  const known = own.length === 0 ? 'none at all' : own.join(', ')
  return {
    message: `workspace ${workspace} may not read this secret`,
    fix: `name one that it may read: ${known}; the operator of plumbline sets these names`,
  }
}
