import type { Json } from '../../../../engine/schema/json.ts'
import type { RestSettings } from '../../document/api/provider.ts'
import { variablesOf } from '../../document/shared/template.ts'
import { type Findings, problem } from './problem.ts'

/** Headers are planned with the request, and so shown: no secret can be one. */
export const checkHeaders = (provider: RestSettings, headers: Readonly<Record<string, string>> = {}): Findings =>
  Object.entries(headers).map(([name, text]) => [
    undeclaredIn(text, provider).map((each) => problem([name], 'undeclaredWith', each)),
    variablesOf(text).flatMap(([first, second]) => {
      if (first !== 'with') return [problem([name], 'noValueHere', [first, second].filter(Boolean).join('.'))]
      const isSecret = provider.with?.[String(second)]?.secret === true
      return isSecret ? [problem([name], 'secretHeader', String(second), name)] : []
    }),
  ])

export const undeclaredIn = (text: Json, provider: RestSettings): readonly string[] =>
  variablesOf(text).flatMap(([first, second]) =>
    first === 'with' && second !== undefined && !Object.hasOwn(provider.with ?? {}, second) ? [String(second)] : [],
  )
