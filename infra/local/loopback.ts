import { type ListenOptions, Server } from 'node:net'

/**
 * Runs `start` so that whatever it opens listens on this machine alone: fauxqs 2.4.1 listens on 0.0.0.0 without a choice,
 * and it asks nobody who they are.
 */
export const onLoopback = async <Result>(start: () => Promise<Result>): Promise<Result> => {
  const listen = Server.prototype.listen as (this: Server, ...given: unknown[]) => Server
  const confined = function (this: Server, ...given: unknown[]): Server {
    const [first, ...rest] = given
    const options =
      typeof first === 'object' && first !== null ? { ...(first as ListenOptions), host: '127.0.0.1' } : first
    return listen.call(this, options, ...rest)
  }
  Object.assign(Server.prototype, { listen: confined })
  try {
    return await start()
  } finally {
    Object.assign(Server.prototype, { listen })
  }
}
