import type { Path } from '../../../../engine/schema/json.ts'
import { readSecretValue, type SecretValue } from '../../values/secret-value.ts'
import { type Finding, isFilled, isOutside, ruleOf, when } from '../rule.ts'
import { say } from './words.ts'

const contentTypes = ['form', 'json']
const insecure = ['0', '1']
const visibilities = ['public', 'private', 'selected']

const isGitHubs = (name: string): boolean => name.toUpperCase().startsWith('GITHUB_')

const kindOf = (value: string | null | undefined): SecretValue | undefined =>
  typeof value === 'string' && value !== '' ? readSecretValue(value) : undefined

/** A reference to a password store without all its parts. */
const incomplete = (value: string | null | undefined, at: Path): readonly Finding[] => {
  const found = kindOf(value)
  return found?.kind === 'incomplete' ? [{ at, diagnostic: say('SEC-4', found.provider) }] : []
}

/** The rules about webhooks, secrets and variables, wherever they are. */
export const secretRules = [
  ruleOf('HOOK-1', 'info', 'webhook', ({ secret }) =>
    when(kindOf(secret)?.kind === 'dummy', ['secret'], say('HOOK-1')),
  ),
  ruleOf('HOOK-2', 'error', 'webhook', ({ secret }) =>
    when(kindOf(secret)?.kind === 'plain', ['secret'], say('HOOK-2')),
  ),
  ruleOf('HOOK-3', 'error', 'webhook', ({ content_type }) =>
    when(isOutside(content_type, contentTypes), ['content_type'], say('HOOK-3', contentTypes)),
  ),
  ruleOf('HOOK-4', 'error', 'webhook', ({ insecure_ssl }) =>
    when(isOutside(insecure_ssl, insecure), ['insecure_ssl'], say('HOOK-4', insecure)),
  ),
  ruleOf('HOOK-5', 'error', 'webhook', ({ url }) => when(url.endsWith('*'), ['url'], say('HOOK-5'))),
  ruleOf('SEC-1', 'info', 'secret', ({ value }) => when(kindOf(value)?.kind === 'dummy', ['value'], say('SEC-1'))),
  ruleOf('SEC-2', 'error', 'secret', ({ value }) =>
    when(value === '' || kindOf(value)?.kind === 'plain', ['value'], say('SEC-2')),
  ),
  ruleOf('SEC-3', 'error', 'secret', ({ name }) => when(isGitHubs(name), ['name'], say('SEC-3'))),
  ruleOf('SEC-4', 'error', 'secret', ({ value }) => incomplete(value, ['value'])),
  ruleOf('SEC-4', 'error', 'webhook', ({ secret }) => incomplete(secret, ['secret'])),
  ruleOf('OSEC-1', 'error', 'secret', ({ visibility }, { organisation }) =>
    when(visibility === 'private' && organisation.settings.plan === 'free', ['visibility'], say('OSEC-1')),
  ),
  ruleOf('OSEC-2', 'error', 'secret', ({ visibility }) =>
    when(isOutside(visibility, visibilities), ['visibility'], say('OSEC-2', visibilities)),
  ),
  ruleOf('OSEC-3', 'warning', 'secret', ({ visibility, selected_repositories: selected }) =>
    when(
      visibility !== undefined && visibility !== 'selected' && isFilled(selected),
      ['selected_repositories'],
      say('OSEC-3'),
    ),
  ),
  ruleOf('VAR-1', 'error', 'variable', ({ name }) => when(isGitHubs(name), ['name'], say('VAR-1'))),
  ruleOf('VAR-2', 'error', 'variable', ({ name }) => when(name !== name.toUpperCase(), ['name'], say('VAR-2'))),
  ruleOf('VAR-3', 'error', 'variable', ({ visibility }) =>
    when(isOutside(visibility, visibilities), ['visibility'], say('VAR-3', visibilities)),
  ),
  ruleOf('OSEC-1', 'error', 'variable', ({ visibility }, { organisation }) =>
    when(visibility === 'private' && organisation.settings.plan === 'free', ['visibility'], say('OSEC-1')),
  ),
  ruleOf('OSEC-3', 'warning', 'variable', ({ visibility, selected_repositories: selected }) =>
    when(
      visibility !== undefined && visibility !== 'selected' && isFilled(selected),
      ['selected_repositories'],
      say('OSEC-3'),
    ),
  ),
]
