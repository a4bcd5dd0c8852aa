import { holdsRule } from '../../../transport/answer/answer-errors.ts'
import type { Provider, ReadDeps } from '../../provider.ts'
import type { BodyRuleEntry } from '../document/answers.ts'
import { withProviderDefaults } from '../document/defaults.ts'
import type { RestSettings } from '../document/provider.ts'
import { ruleOf, scopeOf } from '../document/template.ts'
import { ask, buildRead } from '../request/ask.ts'
import type { Context } from '../request/context.ts'

type Sight = NonNullable<Provider['sight']>

/** What the document's `sight` asks for; absent where it has none. */
export const sightOf = (context: Context): { readonly sight?: Sight } => {
  const { sight } = context.settings
  return sight === undefined ? {} : { sight: (deps) => askSight({ ...context, ...deps }, sight) }
}

const askSight = async (
  context: Context & ReadDeps,
  { read, sees }: NonNullable<RestSettings['sight']>,
): ReturnType<Sight> => {
  const operation = withProviderDefaults(context.settings, read)
  const built = buildRead(context, operation, scopeOf({ ...context.params, with: context.inputs }))
  if (!built.ok) return { kind: 'blind', detail: `${built.variable} ${built.detail}` }
  const { method, url } = built.request
  const answer = await ask(context, { operation, request: built.request, absent: operation.absent ?? [] })
  if (answer.kind === 'unknown') return { kind: 'blind', detail: answer.detail }
  if (answer.kind === 'absent') return { kind: 'blind', detail: `${method} ${url} answered that there is nothing` }
  const unmet = sees.find((rule) => !holdsRule(ruleOf(rule), answer.response.body))
  return unmet === undefined
    ? { kind: 'clear' }
    : { kind: 'blind', detail: `the answer to ${method} ${url} does not hold ${ruleWords(unmet)}` }
}

const ruleWords = ({ place, is, not }: BodyRuleEntry): string => {
  const at = place === '' ? 'what it must hold' : place
  if (is !== undefined) return `${at}: ${JSON.stringify(is)}`
  return not === undefined ? at : `${at} other than ${JSON.stringify(not)}`
}
