import type { Provider, ReadDeps } from '../../../../engine/provider/provider.ts'
import { holdsRule } from '../../../../engine/transport/answer/answer-errors.ts'
import type { RestSettings } from '../../document/api/provider.ts'
import { ruleOf } from '../../document/shared/template.ts'
import type { RestContext } from '../../request/context.ts'
import { askProvider } from './ask-provider.ts'
import { unmetRule } from './words.ts'

type Sight = NonNullable<Provider['sight']>

/** What the document's `sight` asks for; absent where it has none. */
export const sightOf = (context: RestContext): { readonly sight?: Sight } => {
  const { sight } = context.settings
  return sight === undefined ? {} : { sight: (deps) => askSight({ ...context, ...deps }, sight) }
}

const askSight = async (
  context: RestContext & ReadDeps,
  { read, sees }: NonNullable<RestSettings['sight']>,
): ReturnType<Sight> => {
  const asked = await askProvider(context, read)
  if (asked.kind === 'unknown') return { kind: 'blind', detail: asked.detail }
  const unmet = sees.find((rule) => !holdsRule(ruleOf(rule, asked.answer), asked.response.body))
  return unmet === undefined ? { kind: 'clear' } : { kind: 'blind', detail: unmetRule(asked.request, unmet) }
}
