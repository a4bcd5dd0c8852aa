import { afterEach, describe, expect, it, vi } from 'vitest'
import { composeDeps, type Machine } from '../../functions/deps.ts'
import { readEnv } from '../../functions/env.ts'
import { aLoopback } from '../builders/servers/loopback.ts'
import { aGet } from '../builders/values/transports.ts'

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

describe('the key of the seals', () => {
  const keyId = 'arn:aws:kms:eu-central-1:123456789012:key/4711'
  afterEach(() => vi.unstubAllEnvs())

  it('is asked of KMS once for a container, where its clients are told to look, and seals alike in all of them', async () => {
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

  it('is none where no function was given one: nothing is sealed with a key that is empty', async () => {
    const { seal } = await composeDeps(env)
    expect(() => seal('a secret')).toThrow(expect.objectContaining({ code: 'ENVIRONMENT_INVALID' }))
  })
})

describe('secrets', () => {
  const secretsOf = async (names?: string) =>
    composeDeps(readEnv({ TABLE_NAME: 'plumbline', ...(names === undefined ? {} : { SECRET_NAMES: names }) }))

  it('in the cloud are those of Parameter Store and Secrets Manager that the setting names, else none', async () => {
    expect((await secretsOf('plumbline/{workspace}/*,plumbline/shared/*')).secretRules).toEqual({
      kinds: ['ssm', 'secretsmanager'],
      names: ['plumbline/{workspace}/*', 'plumbline/shared/*'],
    })
    expect((await secretsOf()).secretRules?.names).toEqual([])
    for (const source of ['env:PATH', 'file:/etc/hostname'])
      await expect((await secretsOf()).secrets.resolve(source)).rejects.toMatchObject({ code: 'SECRET_UNRESOLVED' })
  })

  it('on one machine are all that its user has', async () => {
    const { secretRules, secrets } = await composeDeps(env, { variables: { KEY: 'value' } })
    expect([secretRules, await secrets.resolve('env:KEY')]).toEqual([undefined, 'value'])
  })
})
