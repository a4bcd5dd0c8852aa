import { foreignWords } from '#core'

/** By the code of Node or of its TLS library. The original message may quote the request, so it is not shown. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'no answer in time',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stood still',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  CERT_NOT_YET_VALID: 'the certificate of the server is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'a certificate of the server is signed by itself',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate of the server is from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate of the server is from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate of the server cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another host',
}

/** Fetch says "fetch failed" or "terminated"; the reason is the innermost cause. */
export const networkWords = (error: unknown): string => {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  // A host with several addresses fails with one error for each.
  if (inner instanceof AggregateError) inner = inner.errors.at(-1)
  const said = foreignWords(inner)
  const known = said
    .split(' ')
    .map((word) => words[word])
    .find((word) => word !== undefined)
  return known === undefined ? said : `${known} (${said.split(' ').at(-1)})`
}

export interface WireSocket {
  readonly path: string
  readonly origin: string
}

const details: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no socket ${path} where this runs`,
  ENOTDIR: (path) => `there is no socket ${path} where this runs`,
  EACCES: (path) => `this user may not use the socket ${path}`,
  ECONNREFUSED: (path) => `no process listens at the socket ${path}`,
  ENOTSOCK: (path) => `no process listens at the socket ${path}`,
}

/** Returns why a socket could not be reached, if the system said that; `undefined` for every other error. */
export const socketDetail = (error: unknown, socket: WireSocket | undefined): string | undefined => {
  if (socket === undefined || !(error instanceof Error)) return undefined
  const { code = '' } = error as NodeJS.ErrnoException
  return Object.hasOwn(details, code) ? details[code]?.(socket.path) : undefined
}
