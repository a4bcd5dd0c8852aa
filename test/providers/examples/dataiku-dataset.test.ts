import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { dssKey, startDss } from '../../builders/dss/dss-server.ts'
import { long } from '../../builders/long.ts'
import { driveExample } from '../../builders/workspaces/example-workspace.ts'

/*
 * The worked outcomes D1-D7 of a dataset: definition, schema, metadata and flow zone are four endpoints, three of them
 * replaced as a whole, the fourth a list of something else.
 */
const base = '/projects/P/datasets/d'
const columns = [
  { name: 'a', type: 'string' },
  { name: 'b', type: 'int' },
]
const spec = {
  project: 'P',
  name: 'd',
  type: 'Filesystem',
  connection: 'c',
  formatParams: { separator: ',' },
  columns,
  description: 'D',
  tags: ['t2', 't1'],
  zone: 'zn1Qx8',
}

const send = async (url: string, method: string, path: string, body: unknown): Promise<void> => {
  const authorization = `Basic ${Buffer.from(`${dssKey}:`).toString('base64')}`
  const answer = await fetch(`${url}/dip/publicapi${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** A project with two zones and, in the first, the dataset as the spec wants it, with more than that. */
const open = async (wanted: JsonObject = spec, isThere = true) => {
  const dss = await startDss()
  dss.addProject('P')
  const by = (method: string, path: string, body: unknown) => send(dss.url, method, path, body)
  for (const name of ['one', 'two']) await by('POST', '/projects/P/flow/zones', { name })
  if (isThere) {
    await by('POST', '/projects/P/datasets', {
      name: 'd',
      type: 'Filesystem',
      params: { connection: 'c', path: '/x', secret: 'never-shown' },
      formatType: 'csv',
      formatParams: { separator: ',', charset: 'utf8', style: 'excel' },
    })
    await by('PUT', `${base}/schema`, { columns, userModified: true })
    const metadata = { description: 'D', tags: ['t1', 't2'], label: 'L', custom: { kv: { k: 'v' } } }
    await by('PUT', `${base}/metadata`, metadata)
    await by('POST', '/projects/P/flow/zones/zn1Qx8/items', { objectId: 'd', objectType: 'DATASET' })
  }
  dss.forget()
  const drive = driveExample(
    {
      example: 'dataiku',
      with: { host: dss.url, apiKey: { secret: 'env:DSS_KEY' } },
      secrets: { 'env:DSS_KEY': dssKey },
      base: `${dss.url}/dip/publicapi`,
    },
    [{ type: 'dss_dataset', name: 'd', spec: wanted }],
  )
  const pieceOf = () => dss.projects.get('P')?.datasets.get('d')
  return { dss, drive, by, pieceOf }
}

describe('a dataset of the example', () => {
  it('D1 differs in nothing after four reads, whatever the order of tags and of the other keys of its format', async () => {
    const { dss, drive } = await open()
    await using _ = dss
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(dss.lines()).toEqual([
      `GET ${base}`,
      `GET ${base}/schema`,
      `GET ${base}/metadata`,
      'GET /projects/P/flow/zones',
    ])
  })

  it.each([
    ['/x', true],
    ['$${root}/x', false],
    ['$${dir}', true],
    ['$${projectKey}/x', false],
  ])('has the path that DSS makes of %s: %s', async (path, isEqual) => {
    const { dss, drive, by } = await open({ ...spec, path })
    await using _ = dss
    await by('PUT', '/projects/P/variables', { standard: { root: '/data', dir: '/y' }, local: { dir: '/x' } })
    expect((await drive.check()).plan).toMatchObject({ inSync: isEqual, unchecked: [] })
  })

  it('D2 gets four writes for four differences, and keeps undeclared values', long, async () => {
    const { dss, drive, pieceOf } = await open({
      ...spec,
      formatParams: { separator: ';' },
      columns: [
        { name: 'a', type: 'string' },
        { name: 'b', type: 'double' },
      ],
      description: 'E',
      zone: 'zn2Qx8',
    })
    await using _ = dss
    const { plan, digest, lines } = await drive.check()
    expect(lines).toMatchObject([
      [`PUT ${base}`, { with: { '/formatParams/separator': ';' } }],
      [
        `PUT ${base}/schema`,
        { columns: { with: { '/columns': [{ name: 'a' }, { name: 'b', type: 'double' }] } }, userModified: true },
      ],
      [`PUT ${base}/metadata`, { with: { '/description': 'E' } }],
      ['POST /projects/P/flow/zones/zn2Qx8/items', { objectId: 'd', objectType: 'DATASET' }],
    ])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(dss.written().map(([line]) => line)).toEqual(lines.map(([line]) => line))
    expect(pieceOf()).toMatchObject({
      definition: {
        formatType: 'csv',
        formatParams: { separator: ';', charset: 'utf8', style: 'excel' },
        params: { path: '/x', secret: 'never-shown' },
      },
      schema: { columns: [{ type: 'string' }, { type: 'double' }] },
      metadata: { description: 'E', tags: ['t1', 't2'], label: 'L', custom: { kv: { k: 'v' } } },
    })
    expect((await drive.check()).plan.inSync).toBe(true)
    expect(JSON.stringify([plan, await drive.ledger()])).not.toMatch(/never-shown|dss-key/)
  })

  it('D3 ignores undeclared values', async () => {
    const { columns: _c, zone: _z, ...less } = spec
    const { dss, drive, by } = await open(less)
    await using _ = dss
    await by('PUT', `${base}/schema`, { columns: [{ name: 'other', type: 'int' }] })
    await by('POST', '/projects/P/flow/zones/zn2Qx8/items', { objectId: 'd', objectType: 'DATASET' })
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
  })

  it('D4 is blocked where a fixed attribute differs', async () => {
    const { dss, drive } = await open({ ...spec, managed: true })
    await using _ = dss
    const { plan } = await drive.check()
    expect(plan).toMatchObject({ commands: [], changes: [{ blocked: { reason: 'immutable' } }] })
  })

  it('D5 is unknown after one read that is forbidden, and is not created', async () => {
    const { dss, drive } = await open()
    await using _ = dss
    dss.behaviour.guard = () => ({ status: 401, body: {} })
    expect((await drive.check()).plan).toMatchObject({ commands: [], unchecked: [{ reason: 'unauthorised' }] })
    expect(dss.lines()).toEqual([`GET ${base}`])
  })

  it('D6 is created where it is missing, with metadata based on what the server created', async () => {
    const { dss, drive, pieceOf } = await open(spec, false)
    await using _ = dss
    const { digest, lines } = await drive.check()
    expect(lines).toMatchObject([
      [
        'POST /projects/P/datasets/',
        {
          projectKey: 'P',
          name: 'd',
          type: 'Filesystem',
          params: { connection: 'c' },
          formatParams: { separator: ',' },
        },
      ],
      [`PUT ${base}/schema`, { columns, userModified: true }],
      [`PUT ${base}/metadata`, { $live: 'dss_dataset.d#metadata', with: { '/description': 'D' } }],
      ['POST /projects/P/flow/zones/zn1Qx8/items', { objectId: 'd', objectType: 'DATASET' }],
    ])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
    expect(dss.written().map(([line]) => line)).toEqual(lines.map(([line]) => line))
    expect(pieceOf()?.metadata).toMatchObject({ description: 'D', tags: ['t1', 't2'], label: 'd', custom: { kv: {} } })
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('D7 has an empty list where there are no columns', async () => {
    const { dss, drive } = await open({ ...spec, columns: [] })
    await using _ = dss
    await drive.apply((await drive.check()).digest)
    expect(dss.written()).toEqual([[`PUT ${base}/schema`, { columns: [], userModified: true }]])
    expect((await drive.check()).plan.inSync).toBe(true)
  })

  it('is deleted only where that is asked for, and its contents stay', async () => {
    const { dss, drive } = await open()
    await using _ = dss
    await drive.check()
    drive.want([])
    expect((await drive.check()).lines).toEqual([])
    drive.want([
      { type: 'dss_dataset', name: 'd', absent: true, spec: { project: 'P', name: 'd', type: 'Filesystem' } },
    ])
    const { digest, lines } = await drive.check()
    expect(lines).toEqual([[`DELETE ${base}?dropData=false`]])
    expect(await drive.apply(digest)).toMatchObject({ status: 'succeeded' })
  })
})
