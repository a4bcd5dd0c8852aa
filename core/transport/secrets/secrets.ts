/**
 * Where secret values come from: `env:NAME`, `file:/path`, `ssm:/name`, `secretsmanager:id` (`#key` picks a member of a
 * JSON secret). Rejects with SECRET_UNRESOLVED; never answers an empty value for a missing secret.
 */
export interface Secrets {
  resolve(source: string, signal?: AbortSignal): Promise<string>
}
