import { afterEach, describe, expect, it, vi } from 'vitest'
import { composeDeps, type Machine } from '../../functions/deps.ts'
import { readEnv } from '../../functions/env.ts'
import { aLoopback } from '../builders/servers/loopback.ts'
import { aGet } from '../builders/values/transports.ts'

const env = readEnv({ TABLE_NAME: 'plumbline' })
const transportOf = async (machine: Machine) => (await composeDeps(env, machine)).transport({ fileRoots: ['/etc'] })

describe('the targets that a function may reach on its own machine', () => {
  it('are none in the cloud: neither its own addresses nor files', async () => {
    await using server = await aLoopback((_, response) => response.end('{}'))
    const transport = await transportOf({})
    await expect(transport.send(aGet(server.url))).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
    expect(await transport.send(aGet('file:///etc/hostname'))).toMatchObject({ status: 403 })
    expect(server.seen).toEqual([])
  })

  it('are on one machine its addresses, and the files below the configured folders', async () => {
    await using server = await aLoopback((_, response) => response.end())
    const transport = await transportOf({ ownAddresses: true, files: true })
    expect(await transport.send(aGet(server.url))).toMatchObject({ status: 200 })
    expect(await transport.send(aGet('file:///etc/hostname'))).toMatchObject({ status: 200 })
    expect(await transport.send(aGet('file:///proc/self/environ'))).toMatchObject({ status: 403 })
  })
})

describe('the key for digests of secrets', () => {
  const keyId = 'arn:aws:kms:eu-central-1:123456789012:key/4711'
  afterEach(() => vi.unstubAllEnvs())

  it('is requested from KMS once for a container, and is the same in all of them', async () => {
    await using kms = await aLoopback((_, response) =>
      response.end(JSON.stringify({ Mac: Buffer.alloc(32, 7).toString('base64') })),
    )
    for (const [name, value] of Object.entries({
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    }))
      vi.stubEnv(name, value)
    const variables = { TABLE_NAME: 'plumbline', SEAL_KEY_ID: keyId, AWS_ENDPOINT_URL: kms.url }
    const [one, other] = await Promise.all([composeDeps(readEnv(variables)), composeDeps(readEnv(variables))])
    expect(one.seal('a secret')).toBe(other.seal('a secret'))
    expect(one.seal('a secret')).not.toBe(one.seal('another'))
    expect(kms.seen.map(({ body }) => JSON.parse(body).KeyId)).toEqual([keyId, keyId])
  })

  it('is missing where no function has one, and nothing is digested with an empty key', async () => {
    const { seal } = await composeDeps(env)
    expect(() => seal('a secret')).toThrow(expect.objectContaining({ code: 'ENVIRONMENT_INVALID' }))
  })
})

describe('the readable secrets', () => {
  const secretsOf = async (names?: string) =>
    composeDeps(readEnv({ TABLE_NAME: 'plumbline', ...(names === undefined ? {} : { SECRET_NAMES: names }) }))

  it('are in the cloud those of Parameter Store and Secrets Manager that the setting names, and no others', async () => {
    expect((await secretsOf('plumbline/{workspace}/*,plumbline/shared/*')).secretRules).toEqual({
      kinds: ['ssm', 'secretsmanager'],
      names: ['plumbline/{workspace}/*', 'plumbline/shared/*'],
    })
    expect((await secretsOf()).secretRules?.names).toEqual([])
    for (const source of ['env:PATH', 'file:/etc/hostname'])
      await expect((await secretsOf()).secrets.resolve(source)).rejects.toMatchObject({ code: 'SECRET_UNRESOLVED' })
  })

  it('are on one machine all that its user can read', async () => {
    const { secretRules, secrets } = await composeDeps(env, { variables: { KEY: 'value' } })
    expect([secretRules, await secrets.resolve('env:KEY')]).toEqual([undefined, 'value'])
  })
})
