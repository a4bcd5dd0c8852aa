import { AppError } from '../errors.ts'
import { isTooDeep } from '../values/well-formed.ts'
import type { Transport } from './transport.ts'

/** An answer that nests too deep to be walked is none that can be used: a parser takes what no later step can. */
export const shallow = (inner: Transport): Transport => ({
  send: async (request, signal) => {
    const response = await inner.send(request, signal)
    if (!isTooDeep(response.body)) return response
    const { method, url } = request
    throw new AppError('RESPONSE_INVALID', {
      method,
      url,
      detail: `status ${response.status} with a body that nests too deep`,
    })
  },
})
