import type { ReadDeps } from '../../../../engine/provider/provider.ts'
import type { Request, Response } from '../../../../engine/schema/command.ts'
import type { UnknownResult } from '../../../../engine/schema/resource.ts'
import { withProviderDefaults } from '../../document/defaults.ts'
import type { Operation } from '../../document/operation/operation.ts'
import { scopeOf } from '../../document/shared/template.ts'
import { ask, badBody, buildRead, type Read, unresolved } from '../../request/ask.ts'
import type { RestContext } from '../../request/context.ts'
import { noAnswer } from './words.ts'

interface ProviderAnswer {
  readonly kind: 'answer'
  readonly request: Request
  readonly response: Response
  /** The place of the object in the answer. */
  readonly answer: string
}

/** A read without an object: its templates can use only the values of the workspace. */
export const askProvider = async (
  context: RestContext & ReadDeps,
  read: Operation,
  told: Pick<Read, 'isQuoted'> = {},
): Promise<ProviderAnswer | UnknownResult> => {
  const operation = withProviderDefaults(context.settings, read)
  const built = buildRead(context, operation, scopeOf({ ...context.params, with: context.inputs }))
  if (!built.ok) return unresolved(built)
  const { request } = built
  const answer = await ask(context, { operation, request, absent: operation.absent ?? [], ...told })
  if (answer.kind === 'absent') return badBody(request, noAnswer)
  return answer.kind === 'unknown' ? answer : { ...answer, request, answer: operation.answer ?? '' }
}
