import { AppError } from '../../errors.ts'
import { type SecretRules, whySecretRefused } from '../../values/secret-source.ts'
import type { Secrets } from './secrets.ts'

/** The last question before a secret is read: what a workspace may not read is not, whatever asked for it. */
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
