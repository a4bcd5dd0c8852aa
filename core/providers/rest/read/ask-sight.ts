import { holdsRule } from '../../../transport/answer/answer-errors.ts'
import type { Provider, ReadDeps } from '../../provider.ts'
import { withProviderDefaults } from '../document/defaults.ts'
import type { RestSettings } from '../document/provider.ts'
import { ruleOf, scopeOf } from '../document/template.ts'
import { ask, buildRead } from '../request/ask.ts'
import type { Context } from '../request/context.ts'
import { answered } from '../request/words.ts'
import { sightFaults } from './words.ts'

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
  const { request } = built
  const answer = await ask(context, { operation, request, absent: operation.absent ?? [] })
  if (answer.kind === 'unknown') return { kind: 'blind', detail: answer.detail }
  if (answer.kind === 'absent') return { kind: 'blind', detail: answered(request, sightFaults.nothing) }
  const unmet = sees.find((rule) => !holdsRule(ruleOf(rule), answer.response.body))
  return unmet === undefined ? { kind: 'clear' } : { kind: 'blind', detail: sightFaults.unmet(request, unmet) }
}
