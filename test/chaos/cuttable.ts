import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Cut = 'refuse' | 'silence'

/** A way to a server that can be cut: connections are refused, or nothing comes through any more. */
export const cuttable = async (endpoint: string) => {
  const { hostname, port } = new URL(endpoint)
  const sockets = new Set<Socket>()
  let cut: Cut | undefined
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((near) => {
    const keep = (socket: Socket): void => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    }
    keep(near)
    if (cut === 'refuse') return void near.destroy()
    if (cut === 'silence') return void near.pause()
    const far = connect(Number(port), hostname)
    keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (how: Cut): void => {
      cut = how
      if (how === 'refuse') drop()
      else for (const socket of sockets) socket.unpipe().pause()
    },
    restore: (): void => {
      cut = undefined
      drop()
    },
    [Symbol.asyncDispose]: async () => {
      drop()
      server.close()
      await once(server, 'close')
    },
  }
}
