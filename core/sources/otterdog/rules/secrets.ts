import type { Path } from '../../../engine/schema/json.ts'
import { readSecretValue, type SecretValue } from '../values/secret-value.ts'
import { type Around, about, type Finding, isFilled, when } from './rule.ts'
import { say } from './words.ts'

const webhook = about('webhook')
const secret = about('secret')
const variable = about('variable')

const contentTypes = ['form', 'json']
const insecure = ['0', '1']
const visibilities = ['public', 'private', 'selected']

const isGitHubs = (name: string): boolean => name.toUpperCase().startsWith('GITHUB_')

const kindOf = (value: string | null | undefined): SecretValue | undefined =>
  typeof value === 'string' && value !== '' ? readSecretValue(value) : undefined

/** A reference to a password store without all its parts. */
const incomplete = (value: string | null | undefined, at: Path): readonly Finding[] => {
  const read = kindOf(value)
  if (read?.kind !== 'incomplete') return []
  return when(true, at, say('SEC-4', read.provider))
}

interface Shared {
  readonly visibility?: string | undefined
  readonly selected_repositories?: readonly string[] | undefined
}

/** Rules of secrets and of variables that an organisation shares with its repositories. */
const sharedRules = (kind: 'secret' | 'variable') => [
  about(kind).error(
    'OSEC-1',
    'visibility',
    ({ visibility }: Shared, { organisation }: Around) =>
      visibility === 'private' && organisation.settings.plan === 'free',
  ),
  about(kind).warning(
    'OSEC-3',
    'selected_repositories',
    ({ visibility, selected_repositories: selected }: Shared) =>
      visibility !== undefined && visibility !== 'selected' && isFilled(selected),
  ),
]

/** The rules about webhooks, secrets and variables, wherever they are. */
export const secretRules = [
  webhook.info('HOOK-1', 'secret', ({ secret }) => kindOf(secret)?.kind === 'dummy'),
  webhook.error('HOOK-2', 'secret', ({ secret }) => kindOf(secret)?.kind === 'plain'),
  webhook.oneOf('HOOK-3', 'content_type', contentTypes),
  webhook.oneOf('HOOK-4', 'insecure_ssl', insecure),
  webhook.error('HOOK-5', 'url', ({ url }) => url.endsWith('*')),
  secret.info('SEC-1', 'value', ({ value }) => kindOf(value)?.kind === 'dummy'),
  secret.error('SEC-2', 'value', ({ value }) => value === '' || kindOf(value)?.kind === 'plain'),
  secret.error('SEC-3', 'name', ({ name }) => isGitHubs(name)),
  secret.each('error', 'SEC-4', ({ value }) => incomplete(value, ['value'])),
  webhook.each('error', 'SEC-4', ({ secret }) => incomplete(secret, ['secret'])),
  ...sharedRules('secret'),
  secret.oneOf('OSEC-2', 'visibility', visibilities),
  variable.error('VAR-1', 'name', ({ name }) => isGitHubs(name)),
  variable.error('VAR-2', 'name', ({ name }) => name !== name.toUpperCase()),
  variable.oneOf('VAR-3', 'visibility', visibilities),
  ...sharedRules('variable'),
]
