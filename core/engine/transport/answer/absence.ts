import type { Absence, Request, Response } from '../../schema/command.ts'

/** True if an answer with this status means absent. A page of a proxy proves nothing about an object. */
export const isAbsence = (
  absences: readonly (Absence | null)[],
  request: Pick<Request, 'method'>,
  response: Response,
  status: number,
): boolean => {
  // A rule that gives the body this status has recognised the body as the API's own.
  if (status !== response.status) return namesStatus(absences, status)
  const type = answerType(request, response)
  return absences.some((each) => {
    if (each === null) return false
    if (typeof each === 'number') return each === status && type === 'json'
    const types = [each.type].flat()
    return each.status === status && (types.includes('any') || types.includes(type))
  })
}

/** Ignores the type of the absences. */
export const namesStatus = (absences: readonly (Absence | null)[], status: number): boolean =>
  absences.some((each) => each !== null && (typeof each === 'number' ? each : each.status) === status)

/** `json`, `none` for no body, otherwise the media type in lower case; `unknown` if no header names it. */
export const answerType = ({ method }: Pick<Request, 'method'>, { headers, body }: Response): string => {
  const [first = ''] = (headers['content-type'] ?? '').split(';')
  const named = first.trim().toLowerCase()
  // An answer to HEAD has no body; its header names the type that the body would have.
  if (body === null && (method !== 'HEAD' || named === '')) return 'none'
  if (/^(application|text)\/(.+\+)?json$/.test(named)) return 'json'
  return named === '' && typeof body !== 'string' ? 'json' : named || 'unknown'
}
