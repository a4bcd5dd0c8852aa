import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { long } from '../../builders/long.ts'
import { waldurToken } from '../../builders/waldur/waldur-rights.ts'
import { startWaldur, type Waldur } from '../../builders/waldur/waldur-server.ts'
import { driveExample, type Wanted } from '../../builders/workspaces/example-workspace.ts'

/* The worked outcomes W1-W11 of a project: its customer is given by name, and changes by a call. */

const aProject = (spec: JsonObject, more: JsonObject = {}): Wanted => ({
  type: 'waldur_project',
  name: 'p',
  spec: { name: 'Test', customer: 'ACME', ...spec },
  ...more,
})

const driveOf = (waldur: Waldur, wanted: readonly Wanted[]) =>
  driveExample(
    {
      example: 'waldur',
      with: { site: waldur.url, token: { secret: 'env:TOKEN' } },
      secrets: { 'env:TOKEN': waldurToken },
      base: `${waldur.url}/api`,
    },
    wanted,
  )

/** Two customers, and where `live` is given a project of the first. */
const open = async (spec: JsonObject, live?: JsonObject, more: JsonObject = {}) => {
  const waldur = await startWaldur()
  const acme = waldur.add('customers', { name: 'ACME' })
  const other = waldur.add('customers', { name: 'Other' })
  const members = { name: 'Test', customer: acme['url'] ?? '', customer_uuid: acme['uuid'] ?? '' }
  const empty = { description: '', end_date: null, kind: 'default', is_removed: false }
  if (live !== undefined) waldur.add('projects', { ...members, ...empty, ...live })
  const drive = driveOf(waldur, [aProject(spec, more)])
  const at = (object: JsonObject): string => String(object['url']).replace(`${waldur.url}/api`, '')
  return { waldur, drive, acme: at(acme), other: at(other), uuid: 'a0a0a0a0a0a0a0a0a0a0a0a000000003' }
}

const detail = (uuid: string): string => `/projects/${uuid}/`

describe('a project', () => {
  it('W1 is created where it is missing', async () => {
    const { waldur, drive, acme } = await open({ description: ' new ' })
    await using _ = waldur
    const { digest, lines } = await drive.check()
    expect(lines).toEqual([['POST /projects/', { name: 'Test', customer: acme, description: 'new' }]])
    expect(waldur.writes()).toEqual([])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(waldur.writes()).toHaveLength(1)
    for (const _time of [1, 2]) expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('W2 differs in nothing after three reads, and one of who is asking, if nothing else of it is declared', async () => {
    const { waldur, drive, uuid } = await open({}, { description: 'whatever' })
    await using _ = waldur
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(waldur.lines()).toEqual([
      'GET /customers/?name_exact=ACME&page_size=100',
      'GET /projects/?name_exact=Test&customer=a0a0a0a0a0a0a0a0a0a0a0a000000001&page_size=100',
      `GET ${detail(uuid)}`,
      'GET /users/me/',
    ])
  })

  it('W3 is patched with exactly what differs', async () => {
    const { waldur, drive, uuid } = await open({ description: 'new', endDate: '2027-01-31' }, { description: 'old' })
    await using _ = waldur
    const { digest, lines } = await drive.check()
    expect(lines).toEqual([[`PATCH ${detail(uuid)}`, { description: 'new', end_date: '2027-01-31' }]])
    const before = waldur.dump()
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(JSON.stringify(waldur.dump()).replace('2027-01-31', '')).toBe(
      JSON.stringify(before).replace('"old"', '"new"').replace('"end_date":null', '"end_date":""'),
    )
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('W4 is blocked where it is of another kind', async () => {
    const { waldur, drive } = await open({ kind: 'course' }, {})
    await using _ = waldur
    expect((await drive.check()).plan).toMatchObject({ commands: [], changes: [{ blocked: { reason: 'immutable' } }] })
  })

  it('W5 is unknown where two customers have the name of its customer, and nothing more is read', async () => {
    const { waldur, drive } = await open({}, {})
    await using _ = waldur
    waldur.add('customers', { name: 'ACME' })
    const { plan } = await drive.check()
    expect(plan).toMatchObject({ inSync: false, commands: [], unchecked: [{ reason: 'ambiguous' }] })
    expect(plan.unchecked[0]?.detail).toContain('which waldur_customer is "ACME"? 2 are called so')
    expect(waldur.lines()).toEqual(['GET /customers/?name_exact=ACME&page_size=100'])
  })

  it('W6 is unknown where nobody may list it', async () => {
    const { waldur, drive } = await open({}, {})
    await using _ = waldur
    waldur.behaviour.guard = ({ path }) => (path.includes('/projects/') ? { status: 403, body: {} } : undefined)
    expect((await drive.check()).plan).toMatchObject({ commands: [], unchecked: [{ reason: 'forbidden' }] })
    expect(waldur.lines()).toHaveLength(2)
  })

  it('W7 is created again where it was removed', async () => {
    const { waldur, drive, acme } = await open({}, { is_removed: true })
    await using _ = waldur
    expect((await drive.check()).lines).toEqual([['POST /projects/', { name: 'Test', customer: acme }]])
  })

  it('W8 is deleted where it must not exist, stays readable for a while, and is gone', async () => {
    const { waldur, drive, uuid } = await open({}, {}, { absent: true })
    await using _ = waldur
    const { digest, lines } = await drive.check()
    expect(lines).toEqual([[`DELETE ${detail(uuid)}`]])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(waldur.state.objects.projects.get(uuid)).toMatchObject({ is_removed: true })
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('W9 can have its end cleared', async () => {
    const { waldur, drive, uuid } = await open({ endDate: null }, { end_date: '2026-12-31' })
    await using _ = waldur
    const { digest, lines } = await drive.check()
    expect(lines).toEqual([[`PATCH ${detail(uuid)}`, { end_date: null }]])
    await drive.apply(digest)
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('W10 is another project where it is of another customer and was never recorded', async () => {
    const { waldur, drive, other } = await open({ customer: 'Other' }, {})
    await using _ = waldur
    expect((await drive.check()).lines).toEqual([['POST /projects/', { name: 'Test', customer: other }]])
  })

  it('W11 is moved where it was recorded, and then patched', long, async () => {
    const { waldur, drive, other, uuid } = await open({ description: 'old' }, { description: 'old' })
    await using _ = waldur
    await drive.check()
    drive.want([aProject({ customer: 'Other', description: 'new' })])
    const { digest, lines } = await drive.check()
    expect(lines).toEqual([
      [`POST ${detail(uuid)}move_project/`, { customer: other, preserve_permissions: true }],
      [`PATCH ${detail(uuid)}`, { description: 'new' }],
    ])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(waldur.state.objects.projects.get(uuid)).toMatchObject({ customer_name: 'Other', description: 'new' })
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('is found on a later page, whatever filters its server ignores', async () => {
    const { waldur, drive } = await open({}, {})
    await using _ = waldur
    for (let number = 0; number < 250; number += 1) waldur.add('customers', { name: `c${number}` })
    const { customers } = waldur.state.objects
    const [[first, acme] = ['', {}]] = customers
    customers.delete(first)
    customers.set(first, acme)
    // This server knows no filter by name.
    const { guard } = waldur.behaviour
    waldur.behaviour.guard = (asked) => {
      asked.query.delete('name_exact')
      return guard?.(asked)
    }
    expect((await drive.check()).plan).toMatchObject({ inSync: true, unchecked: [] })
    expect(waldur.lines().filter((line) => line.startsWith('GET /customers/?'))).toHaveLength(3)
  })

  it('differs in nothing where the server cleans its description', async () => {
    const { waldur, drive } = await open({ description: '<p>Hello</p><script>alert(1)</script>' })
    await using _ = waldur
    await drive.apply((await drive.check()).digest)
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('can be of a customer that the same plan creates', async () => {
    const { waldur, drive } = await open({})
    await using _ = waldur
    drive.want([
      { type: 'waldur_customer', name: 'c', spec: { name: 'New' } },
      aProject({ customer: '${resource.waldur_customer.c.url}' }),
    ])
    const { digest } = await drive.check()
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect([...waldur.state.objects.projects.values()]).toMatchObject([{ customer_name: 'New' }])
    expect((await drive.check()).plan.inSync).toBe(true)
  })
})

describe('an SSH key', () => {
  it('is replaced, because it cannot change', async () => {
    const waldur = await startWaldur()
    await using _ = waldur
    waldur.add('customers', { name: 'ACME' })
    const key = (publicKey: string): Wanted => ({
      type: 'waldur_ssh_key',
      name: 'k',
      spec: { name: 'laptop', publicKey },
    })
    const drive = driveOf(waldur, [key('ssh-ed25519 AAAA  ada@laptop\n')])
    await drive.apply((await drive.check()).digest)
    expect((await drive.check()).plan.inSync).toBe(true)
    waldur.forget()
    drive.want([key('ssh-ed25519 AAAABBBB ada@laptop')])
    const { digest } = await drive.check()
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(waldur.written().map(([line]) => line.replace(/a0[0-9a-f]{30}/, '*'))).toEqual([
      'DELETE /keys/*/',
      'POST /keys/',
    ])
    expect((await drive.check()).plan.inSync).toBe(true)
  })
})
