import { describe, expect, it } from 'vitest'
import { composeDeps, type Machine } from '../../functions/deps.ts'
import { readEnv } from '../../functions/env.ts'
import { aLoopback } from '../builders/loopback.ts'
import { aGet } from '../builders/transports.ts'

const env = readEnv({ TABLE_NAME: 'plumbline' })
const transportOf = async (machine: Machine) => (await composeDeps(env, machine)).transport({ fileRoots: ['/etc'] })

describe('what a function lends its targets of itself', () => {
  it('nothing in the cloud: not its own addresses, and no files', async () => {
    await using server = await aLoopback((_, response) => response.end('{}'))
    const transport = await transportOf({})
    await expect(transport.send(aGet(server.url))).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
    expect(await transport.send(aGet('file:///etc/hostname'))).toMatchObject({ status: 403 })
    expect(server.seen).toEqual([])
  })

  it('on one machine its addresses, and the files below what the configuration names', async () => {
    await using server = await aLoopback((_, response) => response.end())
    const transport = await transportOf({ ownAddresses: true, files: true })
    expect(await transport.send(aGet(server.url))).toMatchObject({ status: 200 })
    expect(await transport.send(aGet('file:///etc/hostname'))).toMatchObject({ status: 200 })
    expect(await transport.send(aGet('file:///proc/self/environ'))).toMatchObject({ status: 403 })
  })
})
