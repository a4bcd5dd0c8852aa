import { AppError } from '../../errors/errors.ts'
import { type SecretRules, whySecretRefused } from '../../values/secret-source.ts'
import { once } from '../memo.ts'

/**
 * Sources of secrets: `env:NAME`, `file:/path`, `ssm:/name`, `secretsmanager:id` (`#key` selects a member of a JSON
 * secret). Rejects with SECRET_UNRESOLVED; never returns an empty value for a missing secret.
 */
export interface Secrets {
  resolve(source: string, signal?: AbortSignal): Promise<string>
}

/** Checks the rules of the workspace right before a secret is read, for every caller. */
export const confined = (secrets: Secrets, workspace: string, rules: SecretRules | undefined): Secrets =>
  rules === undefined
    ? secrets
    : {
        resolve: async (source) => {
          const refusal = whySecretRefused(source, workspace, rules)
          if (refusal === undefined) return secrets.resolve(source)
          throw new AppError('SECRET_UNRESOLVED', { source, detail: `${refusal.message}: ${refusal.fix}` })
        },
      }

/**
 * Keeps the value of each secret from the plan to the last request: the sent value is that of the approved digest, even
 * if the secret is replaced meanwhile. Failures are not kept.
 */
export const pinned = (secrets: Secrets): Secrets => {
  const values = new Map<string, Promise<string>>()
  return { resolve: (source) => once(values, source, () => secrets.resolve(source)) }
}
