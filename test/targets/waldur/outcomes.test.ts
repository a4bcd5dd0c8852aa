import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/schema/json.ts'
import type { Wanted } from '../../builders/workspaces/example-workspace.ts'
import { tablesApart } from './installed.ts'
import { openSite, type Site } from './site.ts'

/* The worked outcomes W1-W11 of a project on the real server, as test/providers/examples has them on the stand-in. */

let site: Site
let acme = ''
let other = ''
let number = 0
let name = ''

const at = (object: JsonObject | undefined): string => new URL(String(object?.['url'])).pathname.replace('/api', '')

beforeAll(async () => {
  site = await openSite()
  await site.ask('POST', 'customers/', { name: 'Other' })
  const pathOf = async (customer: string) => at((await site.list('customers', { name_exact: customer }))[0])
  acme = await pathOf('ACME')
  other = await pathOf('Other')
})
afterAll(() => site?.close())
beforeEach(() => {
  number += 1
  name = `P${number}`
})

const aProject = (spec: JsonObject = {}, more: JsonObject = {}): Wanted => ({
  type: 'waldur_project',
  name: 'p',
  spec: { name, customer: 'ACME', ...spec },
  ...more,
})
/** A project of that name that is there already, and its path. */
const there = async (members: JsonObject = {}): Promise<string> =>
  at((await site.ask('POST', 'projects/', { name, customer: `${site.base}${acme}`, ...members })) as JsonObject)
const open = (wanted: Wanted) => {
  site.proxy.reset()
  return site.drive([wanted])
}

describe('a project of the real Waldur', () => {
  it('W1 that is missing is made', async () => {
    const drive = open(aProject({ description: ' new ' }))
    const { lines, digest } = await drive.check()
    expect(lines).toEqual([['POST /projects/', { name, customer: acme, description: 'new' }]])
    expect(site.proxy.writes).toEqual([])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(site.proxy.writes).toHaveLength(1)
    for (const _time of [1, 2]) expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('W2 of which nothing else is declared is in order after three reads', async () => {
    const path = await there({ description: 'whatever' })
    expect((await open(aProject()).check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(site.proxy.reads.map((line) => line.replace(/\?.*/, ''))).toEqual([
      'GET /api/customers/',
      'GET /api/projects/',
      `GET /api${path}`,
    ])
  })

  it('W3 is patched with exactly what differs', async () => {
    const path = await there({ description: 'old' })
    const drive = open(aProject({ description: 'new', endDate: '2031-01-31' }))
    const { lines, digest } = await drive.check()
    expect(lines).toEqual([[`PATCH ${path}`, { description: 'new', end_date: '2031-01-31' }]])
    const before = await site.dump()
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(tablesApart(before, await site.dump())).toEqual([
      'structure_project: description, end_date, end_date_requested_by_id',
    ])
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('W4 of another kind blocks', async () => {
    await there()
    expect((await open(aProject({ kind: 'course' })).check()).plan).toMatchObject({
      commands: [],
      changes: [{ blocked: { reason: 'immutable' } }],
    })
  })

  it('W5 of one of two customers of that name is unknown, and nothing more is read', async () => {
    for (const _time of [1, 2]) await site.ask('POST', 'customers/', { name: 'Twins' })
    const { plan } = await open(aProject({ customer: 'Twins' })).check()
    expect(plan).toMatchObject({ inSync: false, commands: [], unchecked: [{ reason: 'ambiguous' }] })
    expect(plan.unchecked[0]?.detail).toContain('which waldur_customer is "Twins"? 2 are called so')
    expect(site.proxy.reads).toHaveLength(1)
  })

  it('W6 that nobody may list is unknown', async () => {
    site.proxy.answerWith(403, /projects/)
    const { plan } = await open(aProject()).check()
    site.proxy.answerWith(undefined)
    expect(plan).toMatchObject({ commands: [], unchecked: [{ reason: 'forbidden' }] })
  })

  it('W7 that was removed is made again', async () => {
    const path = await there()
    await site.ask('DELETE', path.slice(1))
    expect((await open(aProject()).check()).lines).toEqual([['POST /projects/', { name, customer: acme }]])
  })

  it('W8 that shall not exist is deleted', async () => {
    const path = await there()
    const drive = open(aProject({}, { absent: true }))
    const { lines, digest } = await drive.check()
    expect(lines).toEqual([[`DELETE ${path}`]])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('W9 whose end is cleared', async () => {
    const path = await there({ end_date: '2031-12-31' })
    const drive = open(aProject({ endDate: null }))
    const { lines, digest } = await drive.check()
    expect(lines).toEqual([[`PATCH ${path}`, { end_date: null }]])
    await drive.apply(digest)
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('W10 of another customer, that was never recorded, is another project', async () => {
    await there()
    expect((await open(aProject({ customer: 'Other' })).check()).lines).toEqual([
      ['POST /projects/', { name, customer: other }],
    ])
  })

  it('W11 that was recorded is moved, and then patched', async () => {
    const path = await there({ description: 'old' })
    const drive = open(aProject({ description: 'old' }))
    await drive.check()
    drive.want([aProject({ customer: 'Other', description: 'new' })])
    const { lines, digest } = await drive.check()
    expect(lines).toEqual([
      [`POST ${path}move_project/`, { customer: { url: other }, preserve_permissions: true }],
      [`PATCH ${path}`, { description: 'new' }],
    ])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(await site.ask('GET', path.slice(1))).toMatchObject({ customer_name: 'Other', description: 'new' })
    expect((await drive.check()).plan.inSync).toBe(true)
  })
})
