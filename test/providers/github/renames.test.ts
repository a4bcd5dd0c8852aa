import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { driveGitHub, type Wanted } from './drive.ts'

const one = (type: string, name: string, spec: JsonObject): Wanted => ({ type: `github_${type}`, name, spec })
const rules = [{ type: 'deletion' }]
const inside = (repository: string, color = 'ff0000'): readonly Wanted[] => [
  one('label', 'odd', { repository, name: 'odd', color }),
  one('label', 'still', { repository, name: 'still', color: 'ffffff' }),
  one('ruleset', 'main', { repository, name: 'main', enforcement: color === 'ff0000' ? 'active' : 'disabled', rules }),
  one('repository_variable', 'zone', { repository, name: 'ZONE', value: color }),
  one('repository_webhook', 'ci', { repository, url: 'https://acme.example/ci', events: ['push'] }),
]
const whole = (name: string, color?: string) => [one('repository', 'web', { name }), ...inside(name, color)]
const sent = ({ github }: Awaited<ReturnType<typeof driveGitHub>>) =>
  github.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
const inSync = { inSync: true, changes: [], unchecked: [] }

describe('the contents of a renamed repository', () => {
  it('get requests with the new name after a rename by the plan', long, async () => {
    await using drive = await driveGitHub(whole('web'))
    await drive.settle()
    drive.want([...whole('site', '00ff00'), one('label', 'new', { repository: 'site', name: 'new', color: '0000ff' })])
    drive.github.forget()
    const { lines } = await drive.settle()
    expect(lines.map(([line]) => line)).toEqual(sent(drive))
    expect(sent(drive)).toEqual([
      'PATCH /repos/acme/web',
      'POST /repos/acme/site/labels',
      'PATCH /repos/acme/site/labels/odd',
      'PATCH /repos/acme/site/actions/variables/ZONE',
      expect.stringMatching(/^PUT \/repos\/acme\/site\/rulesets\/\d+$/),
    ])
    expect((await drive.check()).plan).toMatchObject(inSync)
    drive.want(whole('third', '00ff00').filter(({ name }) => name !== 'new'))
    await drive.apply((await drive.check()).digest)
    expect((await drive.check()).plan).toMatchObject(inSync)
  })

  it('are followed where the rename was outside and the configuration follows', long, async () => {
    await using drive = await driveGitHub(whole('web'))
    await drive.settle()
    drive.github.as('octo-owner').request('PATCH', '/repos/acme/web', { name: 'site' })
    drive.want(whole('site'))
    expect((await drive.check()).plan).toMatchObject(inSync)
    drive.want(whole('site', '00ff00'))
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject(inSync)
  })

  it('are followed where the rename was outside and the plan renames it back', long, async () => {
    await using drive = await driveGitHub(whole('web'))
    await drive.settle()
    const owner = drive.github.as('octo-owner')
    owner.request('PATCH', '/repos/acme/web', { name: 'site' })
    owner.request('PATCH', '/repos/acme/site/labels/odd', { color: '123456' })
    const { lines } = await drive.settle()
    expect(lines).toEqual([
      ['PATCH /repos/acme/site', { name: 'web' }],
      ['PATCH /repos/acme/web/labels/odd', { color: 'ff0000' }],
    ])
    expect((await drive.check()).plan).toMatchObject(inSync)
  })

  it('are removed under the new name where they leave the configuration', long, async () => {
    await using drive = await driveGitHub(whole('web'))
    await drive.settle()
    drive.want(whole('site').filter(({ name }) => name !== 'odd'))
    const { lines } = await drive.check()
    expect(lines.map(([line]) => line)).toEqual(['PATCH /repos/acme/web', 'DELETE /repos/acme/site/labels/odd'])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject(inSync)
  })

  it('get no request if the rename fails', long, async () => {
    await using drive = await driveGitHub(whole('web'))
    await drive.settle()
    drive.want(whole('site', '00ff00').filter(({ name }) => name !== 'still'))
    const { digest } = await drive.check()
    drive.github.faults.add({ kind: 'status', status: 422, when: ({ method }) => method === 'PATCH', times: 1 })
    drive.github.forget()
    expect((await drive.apply(digest)).status).toBe('failed')
    expect(sent(drive)).toEqual(['PATCH /repos/acme/web'])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject(inSync)
  })

  it('get no request while a new repository would take the former name in the same plan', async () => {
    await using drive = await driveGitHub(whole('web'))
    await drive.settle()
    drive.want([
      ...whole('site', '00ff00'),
      one('repository', 'next', { name: 'web' }),
      one('label', 'next', { repository: 'web', name: 'odd', color: '0000ff' }),
    ])
    const { plan, lines } = await drive.check()
    expect(lines).toEqual([])
    expect(plan.inSync).toBe(false)
  })
})
