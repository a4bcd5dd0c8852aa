import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

const url = 'https://ci.example/hook'
const aHook = (spec: JsonObject) => ({ type: 'github_organization_webhook', name: 'ci', spec: { url, ...spec } })
const secret = { secret: 'env:HOOK' }

const open = async (spec: JsonObject) => {
  const drive = await driveGitHub([aHook(spec)])
  Object.assign(drive.secrets, { 'env:HOOK': 'first secret' })
  /** What GitHub really has, which no answer shows. */
  const held = () => [...(drive.github.world.organizations.get('acme')?.hooks.values() ?? [])]
  return { drive, held }
}

describe('a webhook', () => {
  it('gets its secret once, and no other change erases it', long, async () => {
    const { drive, held } = await open({ secret, content_type: 'form', events: ['push'] })
    await using _ = drive
    await drive.settle()
    expect(held()).toMatchObject([{ config: { url, secret: 'first secret' } }])
    expect((await drive.check()).plan).toMatchObject({ commands: [], changes: [] })
    drive.want([aHook({ secret, content_type: 'json', events: ['push', 'create'], active: false })])
    const { lines } = await drive.settle()
    expect(lines.map(([line]) => line.replace(/\d+/, 'ID'))).toEqual([
      'PATCH /orgs/acme/hooks/ID',
      'PATCH /orgs/acme/hooks/ID/config',
    ])
    expect(held()).toMatchObject([{ active: false, config: { url, content_type: 'json', secret: 'first secret' } }])
    expect(drive.github.violations).toEqual([])
  })

  it('gets a changed secret alone', long, async () => {
    const { drive, held } = await open({ secret })
    await using _ = drive
    await drive.settle()
    Object.assign(drive.secrets, { 'env:HOOK': 'second secret' })
    const { lines, plan } = await drive.settle()
    expect(lines.map(([line]) => line.replace(/\d+/, 'ID'))).toEqual(['PATCH /orgs/acme/hooks/ID/config'])
    expect(JSON.stringify(plan)).not.toContain('second secret')
    expect(held()).toMatchObject([{ config: { secret: 'second secret' } }])
  })

  it('with another URL is another webhook: it is created, and the old one is deleted', long, async () => {
    const { drive, held } = await open({})
    await using _ = drive
    await drive.settle()
    drive.want([{ ...aHook({}), name: 'other', spec: { url: 'https://ci.example/other' } }])
    await drive.settle()
    expect(held().map(({ config }) => config['url'])).toEqual(['https://ci.example/other'])
  })

  it('is found on the last page, as the last of 35', async () => {
    const { drive } = await open({ events: ['push'] })
    await using _ = drive
    const owner = drive.github.as('octo-owner')
    for (let index = 0; index < 34; index += 1)
      owner.request('POST', '/orgs/acme/hooks', { name: 'web', config: { url: `https://h.example/${index}` } })
    owner.request('POST', '/orgs/acme/hooks', { name: 'web', config: { url }, events: ['push'] })
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })
})
