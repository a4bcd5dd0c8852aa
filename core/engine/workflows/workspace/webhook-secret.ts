import { parseSecretSource, whySecretRefused } from '../../values/secret-source.ts'
import type { Deps } from '../deps.ts'
import { noSource, otherWebhookName } from './words.ts'

/** The API function cannot read secrets with other names. */
const isWebhookName = (source: string): boolean => /(^|\/)webhook$/.test(parseSecretSource(source)?.name ?? '')

/** Why a workspace may not use a secret; `undefined` if it may. */
export const whyNoSecret = (workspace: string, source: string, rules: Deps['secretRules']): string | undefined => {
  if (rules === undefined) return parseSecretSource(source) === undefined ? noSource(source) : undefined
  const refusal = whySecretRefused(source, workspace, rules)
  return refusal && `${refusal.message}: ${refusal.fix}`
}

/** The same for the secret of a webhook. */
export const whyNoWebhook = (workspace: string, source: string, rules: Deps['secretRules']): string | undefined =>
  whyNoSecret(workspace, source, rules) ?? (rules === undefined || isWebhookName(source) ? undefined : otherWebhookName)
