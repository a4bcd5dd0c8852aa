import type { Request } from '../../../../engine/schema/command.ts'
import type { Json } from '../../../../engine/schema/json.ts'
import type { UnknownResult } from '../../../../engine/schema/resource.ts'
import type { BodyRuleEntry } from '../../document/shared/answers.ts'
import { kindOf } from '../../request/words.ts'

export const noCaller = ({ reason, detail }: UnknownResult): UnknownResult => ({
  kind: 'unknown',
  reason,
  detail: `who the caller is could not be read: ${detail}`,
})

/** Of a read of the provider as a whole; it follows "GET <url> answered". */
export const noAnswer = 'that there is nothing'
export const callerLacks = (value: Json | undefined, place: string): string => `${kindOf(value)} at ${place}`

/** Why it is unknown whether the credentials still see the required objects. */
export const unmetRule = ({ method, url }: Request, { place, is, not }: BodyRuleEntry): string => {
  const at = place === '' ? 'what it must hold' : place
  const expected =
    is !== undefined ? `: ${JSON.stringify(is)}` : not === undefined ? '' : ` other than ${JSON.stringify(not)}`
  return `the answer to ${method} ${url} does not hold ${at}${expected}`
}
