import type { PlannedRequest } from '../../schema/command.ts'
import { isArray, isObject, type Json } from '../../schema/json.ts'
import { isLive, isMark } from '../../schema/value.ts'

export const isForm = (contentType = ''): boolean => /^application\/x-www-form-urlencoded\b/i.test(contentType)

type Sent = Pick<PlannedRequest, 'headers' | 'body'>

/** The media type that a request names for its body. */
export const mediaTypeOf = ({ headers = {} }: Sent): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]

/** The fields of a form in their order, a list as one field for each element; absent if the body is sent as anything else. */
export const formFields = (request: Sent): readonly (readonly [name: string, value: Json])[] | undefined => {
  const { body } = request
  if (!isForm(mediaTypeOf(request)) || !isObject(body) || isMark(body) || isLive(body)) return undefined
  return Object.entries(body).flatMap(([name, value]) =>
    (isArray(value) ? value : [value]).map((each) => [name, each] as const),
  )
}
