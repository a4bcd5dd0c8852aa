import type { Json, Response } from '#core'
import { errno, systemWords } from '../../files/system-errors.ts'

export const answer = (status: number, body: Json = null, headers: Response['headers'] = {}): Response => ({
  status,
  headers,
  body,
})

export const changing = answer(412, { detail: 'the file was changed by another program at this moment' })

const statusOf: Readonly<Record<string, number>> = {
  ENAMETOOLONG: 400,
  ERR_INVALID_ARG_VALUE: 400,
  EACCES: 403,
  EPERM: 403,
  EROFS: 403,
  ENOENT: 404,
  ELOOP: 409,
  EISDIR: 409,
  ENOTDIR: 409,
  ENXIO: 409,
  ENOTEMPTY: 409,
  EEXIST: 412,
  ENOSPC: 507,
  EDQUOT: 507,
}

/** Returns the answer for a failed system call; `undefined` if the error is not about the file. */
export const answerFromError = (error: unknown): Response | undefined => {
  const code = errno(error)
  const status = code === undefined ? undefined : statusOf[code]
  return status === undefined
    ? undefined
    : answer(status, { detail: systemWords[code ?? ''] ?? `the system says ${code}` })
}
