import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { driveGitHub, testTime } from './drive.ts'

const value = { secret: 'env:VALUE' }
const aSecret = (spec: JsonObject = { value }) => ({
  type: 'github_organization_secret',
  name: 'key',
  spec: { name: 'deploy_key', visibility: 'all', ...spec },
})

const open = async (spec: JsonObject = { value }) => {
  const clock = testTime()
  const drive = await driveGitHub([aSecret(spec)], { clock })
  const held = () => drive.github.secret('acme', 'deploy_key')
  const vault = () => {
    const found = drive.github.world.organizations.get('acme')?.vaults.actions
    if (found === undefined) throw new Error('there is no vault')
    return found
  }
  /** Somebody else sets another value, some time later. */
  const changeOutside = (text: string): void => {
    const { secrets } = vault()
    const known = secrets.get('DEPLOY_KEY')
    if (known === undefined) throw new Error('there is no secret')
    secrets.set('DEPLOY_KEY', { ...known, value: text, updated_at: '2027-01-01T00:00:00Z' })
  }
  return { drive, held, vault, changeOutside, clock }
}

/** New keys, as GitHub replaces them from time to time. */
const newKeys = (): { readonly publicKey: Uint8Array; readonly privateKey: Uint8Array; readonly keyId: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  const { d = '' } = privateKey.export({ format: 'jwk' })
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { publicKey: Buffer.from(x, 'base64url'), privateKey: Buffer.from(d, 'base64url'), keyId: 'another' }
}

describe('a secret of GitHub', () => {
  it('is encrypted for GitHub, sent once, and in no plan', long, async () => {
    const { drive, held } = await open()
    await using _ = drive
    const { plan } = await drive.settle()
    expect(held()).toBe('a value')
    expect(JSON.stringify(plan)).not.toContain('a value')
    expect(plan.commands[0]?.request).toMatchObject({
      body: { encrypted_value: { $secret: 'env:VALUE' }, visibility: 'all' },
      sealedBox: { values: ['/encrypted_value'], key: '/key', id: { from: '/key_id', to: '/key_id' } },
    })
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(drive.github.violations).toEqual([])
  })

  it('must exist if it has no value, and its value stays', long, async () => {
    const { drive, held } = await open({})
    await using _ = drive
    const { plan } = await drive.check()
    expect(plan.commands).toEqual([])
    expect(plan.changes).toMatchObject([{ action: 'create', blocked: { reason: 'value_missing' } }])
    drive.github.setSecret('acme', { name: 'DEPLOY_KEY', visibility: 'private', value: 'set elsewhere' })
    const { plan: wider } = await drive.settle()
    expect(wider.commands.map(({ request }) => request.body)).toEqual([{ visibility: 'all' }])
    expect(held()).toBe('set elsewhere')
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
    expect(drive.github.violations).toEqual([])
  })

  it('is sent again when its value changed', long, async () => {
    const { drive, held } = await open()
    await using _ = drive
    await drive.settle()
    Object.assign(drive.secrets, { 'env:VALUE': 'ünicode ✓ '.repeat(2_000) })
    await drive.settle()
    expect(held()).toBe('ünicode ✓ '.repeat(2_000))
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('drifts with a later time of change, and our value is sent again', long, async () => {
    const { drive, held, changeOutside } = await open()
    await using _ = drive
    await drive.settle()
    changeOutside('theirs')
    const { plan } = await drive.check()
    expect(plan.changes.map(({ causes }) => causes)).toMatchObject([[{ path: ['value'], cause: 'drift' }]])
    await drive.settle()
    expect(held()).toBe('a value')
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('does not drift by our own change of its visibility, which leaves the value', long, async () => {
    const { drive, held, clock } = await open()
    await using _ = drive
    await drive.settle()
    clock.advance(5_000)
    drive.want([aSecret({ value, visibility: 'private' })])
    const { plan } = await drive.settle()
    expect(plan.commands.map(({ request }) => request.body)).toEqual([{ visibility: 'private' }])
    expect(plan.commands[0]?.request.sealedBox).toBe(undefined)
    expect(held()).toBe('a value')
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('keeps its visibility if somebody changed its value between the plan and the apply', long, async () => {
    const { drive, held, changeOutside } = await open()
    await using _ = drive
    await drive.settle()
    drive.want([aSecret({ value, visibility: 'private' })])
    const { digest } = await drive.check()
    changeOutside('theirs')
    expect((await drive.apply(digest)).status).not.toBe('succeeded')
    expect(held()).toBe('theirs')
    await drive.settle()
    expect(held()).toBe('a value')
  })

  it('can be sent also if the key is replaced between the plan and the apply', async () => {
    const { drive, held, vault } = await open()
    await using _ = drive
    const { digest } = await drive.check()
    Object.assign(vault(), newKeys())
    expect((await drive.apply(digest)).status).toBe('succeeded')
    expect(held()).toBe('a value')
  })
})
