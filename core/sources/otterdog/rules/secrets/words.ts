import { diagnostics, said } from '../../../../engine/values/diagnose.ts'
import { oneOf } from '../../../../engine/values/words.ts'

/* No sentence has the value of a secret. */

const managedElsewhere = 'nothing; something else gives it its value'
const noPlain = 'write env:NAME, file:, ssm: or secretsmanager:, or an entry that `secrets` of the module maps'

/** What an entry of each password store looks like. */
const forms: Readonly<Record<string, string>> = {
  pass: 'pass:path',
  bitwarden: 'bitwarden:item@field',
  vault: 'vault:path/field',
}

export const say = diagnostics({
  'HOOK-1': () => said('the secret of this webhook is only asterisks: it is not written', managedElsewhere),
  'HOOK-2': () => said('the secret of this webhook is plain text', noPlain),
  'HOOK-3': (allowed: readonly string[]) => said('content_type is not valid', oneOf(allowed)),
  'HOOK-4': (allowed: readonly string[]) => said('insecure_ssl is not valid', oneOf(allowed)),
  'HOOK-5': () => said('the url of a webhook with "*" names no single webhook', 'write the whole url'),
  'SEC-1': () =>
    said('the value of this secret is only asterisks: the secret must exist, and is not written', managedElsewhere),
  'SEC-2': () => said('the value of this secret is plain text', noPlain),
  'SEC-3': () => said('names of secrets must not begin with GITHUB_', 'use another name'),
  'SEC-4': (provider: string) =>
    said(`this entry of ${provider} is not complete`, `write ${forms[provider] ?? 'the whole entry'}`),
  'SEC-5': (entry: string) =>
    said(
      `${entry} is not mapped: the secret must exist, and is not written`,
      `map it with \`secrets\` of the module: { "${entry}": { secret: "ssm:/..." } }`,
    ),
  'OSEC-1': () => said('visibility private has no effect in the plan free', 'write public or selected'),
  'OSEC-2': (allowed: readonly string[]) => said('visibility is not valid', oneOf(allowed)),
  'OSEC-3': () => said('selected_repositories has no effect here', 'write visibility: selected, or remove the list'),
  'VAR-1': () => said('names of variables must not begin with GITHUB_', 'use another name'),
  'VAR-2': () => said('names of variables must be in upper case', 'write it in upper case'),
  'VAR-3': (allowed: readonly string[]) => said('visibility is not valid', oneOf(allowed)),
})
