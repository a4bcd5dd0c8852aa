/** A Unix socket, and the origin of all URLs that are asked there. */
export interface WireSocket {
  readonly path: string
  readonly origin: string
}

const details: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no socket ${path} where this runs`,
  ENOTDIR: (path) => `there is no socket ${path} where this runs`,
  EACCES: (path) => `who runs this may not use the socket ${path}`,
  ECONNREFUSED: (path) => `nobody listens at the socket ${path}`,
  ENOTSOCK: (path) => `nobody listens at the socket ${path}`,
}

/** Why there was no way to a socket, where the system said that; `undefined` for everything else. */
export const socketDetail = (error: unknown, socket: WireSocket | undefined): string | undefined => {
  if (socket === undefined || !(error instanceof Error)) return undefined
  const { code = '' } = error as NodeJS.ErrnoException
  return Object.hasOwn(details, code) ? details[code]?.(socket.path) : undefined
}
