import * as z from 'zod'
import { AppError, type ErrorCode, type ErrorPayload, type Issue, isErrorCode } from '#core'
import { jsonIn } from '../../adapters/json-in.ts'

/** What an endpoint answered instead of what was asked for. */
export interface RefusedAnswer {
  readonly endpoint: string
  readonly status: number
  readonly text: string
}

const problemShape = z.object({
  code: z.string(),
  detail: z.string(),
  issues: z.array(z.custom<Issue>()).exactOptional(),
})

/** The error that the function itself answered, with `more` at the end of its text; absent if another one answered. */
const problemIn = (text: string, more = ''): AppError | undefined => {
  const { data: problem } = problemShape.safeParse(jsonIn(text))
  if (problem === undefined || !isErrorCode(problem.code)) return undefined
  // Only the texts were sent; nothing reads the payload except the issues of a configuration.
  return new AppError<ErrorCode>(problem.code, { issues: problem.issues ?? [] } as ErrorPayload<ErrorCode>, {
    told: `${problem.detail}${more}`,
  })
}

export const refusal = ({ endpoint, status, text }: RefusedAnswer): AppError => {
  const problem = problemIn(text)
  if (problem !== undefined) return problem
  if (status === 401) return new AppError('UNAUTHENTICATED', { detail: `${endpoint} does not accept the token` })
  return new AppError('ENDPOINT_FAILED', { endpoint, detail: `status ${status}` })
}

/** Beyond it AWS refuses a signature. */
const minutesApart = 5

const clockWords = (date: string | null, now: Date): string => {
  const minutes = Math.round((now.getTime() - Date.parse(date ?? '')) / 60_000)
  if (!(Math.abs(minutes) >= minutesApart)) return ''
  return `; the clock of this machine is ${Math.abs(minutes)} minutes ${minutes > 0 ? 'ahead of' : 'behind'} that of the endpoint`
}

/** Words of the gateway that may be repeated: others of it quote the headers that were signed, with the session token. */
const gatewayWords: Readonly<Record<string, string>> = {
  Forbidden: 'its IAM authorizer answered "Forbidden"',
  'Missing Authentication Token': 'it has no such route for signed requests ("Missing Authentication Token")',
  Unauthorized: 'it answered "Unauthorized", as the endpoint for tokens does',
  'The security token included in the request is invalid.': 'the access key or its session token is not valid',
  'The security token included in the request is expired': 'the session of the access key has ended',
}

const messageShape = z.object({ message: z.string() })

/** Of a request that the access key signed whose id ends with `keyEnd`. `date`: the header of the answer. */
export const signedRefusal = (
  { endpoint, status, text }: RefusedAnswer,
  { keyEnd, date, now }: { readonly keyEnd: string; readonly date: string | null; readonly now: Date },
): AppError => {
  const key = `the access key ...${keyEnd}`
  const problem = problemIn(text, `; the setting \`machines\` gives rights to the ARN of whoever has ${key}`)
  if (problem?.code === 'SCOPE_MISSING') return problem
  const wantsToken = problem?.code === 'UNAUTHENTICATED'
  const isOther = problem !== undefined && !wantsToken
  if (isOther || (status !== 401 && status !== 403)) return refusal({ endpoint, status, text })
  const { message = '' } = messageShape.safeParse(jsonIn(text)).data ?? {}
  const words = Object.hasOwn(gatewayWords, message) ? gatewayWords[message] : `status ${status}`
  const detail = `${wantsToken ? 'it takes tokens, and no signatures' : words}${clockWords(date, now)}`
  return new AppError('SIGNATURE_REFUSED', { endpoint, key: keyEnd, detail })
}
