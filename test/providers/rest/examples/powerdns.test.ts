import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { long } from '../../../builders/long.ts'
import { anApi, exampleText, linesOf, planOne, providerOf, typeOf } from '../../../builders/workspaces/rest.ts'

const zone = typeOf(
  providerOf(exampleText('powerdns'), { baseUrl: 'http://api.test/', apiKey: { $secret: 'env:KEY' } }),
  'pdns_zone',
)
const zones = '/api/v1/servers/localhost/zones'
const records = (...contents: string[]) => contents.map((content) => ({ content, disabled: false }))

/** As a 4.7 server answers, shortened. */
const live = {
  account: '',
  api_rectify: false,
  catalog: '',
  dnssec: false,
  edited_serial: 2026112101,
  id: 'example.org.',
  kind: 'Native',
  masters: [],
  master_tsig_key_ids: [],
  slave_tsig_key_ids: [],
  name: 'example.org.',
  nsec3narrow: false,
  nsec3param: '',
  serial: 2026112101,
  soa_edit: '',
  soa_edit_api: 'DEFAULT',
  url: '/api/v1/servers/localhost/zones/example.org.',
  rrsets: [
    { comments: [], name: 'www.example.org.', type: 'A', ttl: 300, records: records('192.0.2.1', '192.0.2.2') },
    { comments: [], name: 'old.example.org.', type: 'A', ttl: 300, records: records('192.0.2.9') },
    { comments: [], name: 'example.org.', type: 'SOA', ttl: 3600, records: records('a. b. 1 2 3 4 5') },
    { comments: [], name: 'example.org.', type: 'NS', ttl: 3600, records: records('ns1.example.org.') },
  ],
}

const api = (body: JsonObject | undefined = live) => {
  const { rrsets: _, ...listed } = body
  return anApi({
    [`GET ${zones}?zone=example.org.`]: { body: [listed] },
    [`GET ${zones}/example.org.`]: { body },
  })
}
const noZone = () => anApi({ [`GET ${zones}?zone=example.org.`]: { body: [] } })

const www = {
  name: 'www.example.org.',
  type: 'A',
  ttl: 300,
  records: [{ content: '192.0.2.1' }, { content: '192.0.2.2' }],
}
const spec = { name: 'example.org.', kind: 'Native', rrsets: [www] }
const exclusive = { manage: { rrsets: 'exclusive' } } as const
const patch = `PATCH ${zones}/example.org.`
const gone = (name: string) => ({ name, type: 'A', changetype: 'DELETE' })

describe('the worked outcomes of PowerDNS', () => {
  it.each([
    [
      'P1 other order, no final dot, lower case type: nothing',
      {
        spec: {
          ...spec,
          name: 'Example.org',
          kind: 'native',
          rrsets: [{ ...www, name: 'WWW.example.org', type: 'a', records: www.records.toReversed() }],
        },
      },
      api(),
      [],
    ],
    [
      'P2 kind, TTL and a new rrset: one PUT, one PATCH',
      {
        spec: {
          ...spec,
          kind: 'Master',
          rrsets: [
            { ...www, ttl: 600 },
            { name: 'api.example.org.', type: 'A', ttl: 60, records: [{ content: '192.0.2.5' }] },
          ],
        },
      },
      api(),
      [
        [`PUT ${zones}/example.org.`, { kind: 'Master' }],
        [
          patch,
          {
            rrsets: [
              {
                name: 'api.example.org.',
                type: 'A',
                changetype: 'REPLACE',
                ttl: 60,
                records: [{ content: '192.0.2.5' }],
              },
              {
                name: 'www.example.org.',
                type: 'A',
                changetype: 'REPLACE',
                ttl: 600,
                records: records('192.0.2.1', '192.0.2.2'),
              },
            ],
          },
        ],
      ],
    ],
    [
      'P3 exclusive: what is not declared goes, SOA and apex NS stay',
      { spec, lifecycle: exclusive },
      api(),
      [[patch, { rrsets: [gone('old.example.org.')] }]],
    ],
    [
      'P4 no zone: one POST',
      { spec: { ...spec, nameservers: ['ns1.example.org'] } },
      noZone(),
      [
        [
          `POST ${zones}`,
          {
            name: 'example.org.',
            kind: 'Native',
            nameservers: ['ns1.example.org.'],
            rrsets: [{ ...www, records: [{ content: '192.0.2.1' }, { content: '192.0.2.2' }] }],
          },
        ],
      ],
    ],
    ['P5 absent: DELETE', { spec: { name: 'example.org.' }, absent: true }, api(), [[`DELETE ${zones}/example.org.`]]],
    [
      'P6 exclusive and empty: both go, nothing else',
      { spec: { ...spec, rrsets: [] }, lifecycle: exclusive },
      api(),
      [[patch, { rrsets: [gone('old.example.org.'), gone('www.example.org.')] }]],
    ],
  ] as const)('gives the requests that the guide promises: %s', async (_, wanted, transport, expected) => {
    const { commands } = await planOne(zone, wanted as never, transport)
    expect(linesOf(commands)).toEqual(expected)
  })
})

describe('the zones of PowerDNS', () => {
  it('show record contents in the spelling of the server', async () => {
    const contents = {
      AAAA: ['2001:0DB8::0001', '2001:db8::1'],
      MX: ['10  mail.example.org', '10 mail.example.org.'],
      TXT: ['v=spf1 -all', '"v=spf1 -all"'],
    }
    const rrset = (type: string, content: string) => ({
      name: 'x.example.org.',
      type,
      ttl: 60,
      records: records(content),
    })
    const written = Object.entries(contents).map(([type, [content = '']]) => rrset(type, content))
    const canonical = Object.entries(contents).map(([type, [, content = '']]) => ({
      ...rrset(type, content),
      comments: [],
    }))
    const { commands } = await planOne(
      zone,
      { spec: { name: 'example.org.', rrsets: written } },
      api({ ...live, rrsets: canonical }),
    )
    expect(commands).toEqual([])
  })

  it('keep undeclared comments, and send changed ones without their time', long, async () => {
    const commented = {
      ...live,
      rrsets: [{ ...live.rrsets[0], comments: [{ content: 'old', account: 'me', modified_at: 1 }] }],
    } as JsonObject
    const plain = await planOne(zone, { spec: { ...spec, rrsets: [{ ...www, ttl: 60 }] } }, api(commented))
    expect(plain.commands[0]?.request.body).not.toHaveProperty('rrsets.0.comments')
    const wanted = { ...www, comments: [{ content: 'new', account: 'me' }] }
    const changed = await planOne(zone, { spec: { ...spec, rrsets: [wanted] } }, api(commented))
    expect(changed.commands[0]?.request.body).toHaveProperty('rrsets.0.comments', [{ content: 'new', account: 'me' }])
  })

  it('refuse a kind that the server would take for another', () => {
    const problems = zone.validate?.({ name: 'example.org.', kind: 'Primary' })
    expect(problems).toEqual([
      {
        path: ['kind'],
        message: 'kind cannot be Primary',
        fix: 'use one of: Native, Master, Slave, Producer, Consumer',
      },
    ])
    expect(zone.validate?.({ name: 'example.org.', kind: 'MASTER' })).toEqual([])
  })

  it('grade a create, name its inverse, and say where the id comes from', async () => {
    const { commands } = await planOne(zone, { spec }, noZone())
    expect(commands[0]).toMatchObject({
      action: 'create',
      grade: 'reversible',
      success: [201],
      produces: { '/ids/id': '/id' },
      inverse: { method: 'DELETE', url: [`http://api.test${zones}/`, { $after: 'pdns_zone.one', pointer: '/ids/id' }] },
    })
  })

  it('undo a batch with the former values, removals first', async () => {
    const api2 = { name: 'api.example.org.', type: 'A', ttl: 60, records: [{ content: '192.0.2.5' }] }
    const { commands } = await planOne(zone, { spec: { ...spec, rrsets: [{ ...www, ttl: 600 }, api2] } }, api())
    expect(commands[0]).toMatchObject({ grade: 'reversible', description: 'write 2 of rrsets' })
    const former = records('192.0.2.1', '192.0.2.2')
    // The records are laid into those of the time of the undo.
    expect(commands[0]?.inverse?.body).toMatchObject({
      rrsets: [
        gone('api.example.org.'),
        {
          name: 'www.example.org.',
          type: 'A',
          changetype: 'REPLACE',
          ttl: 300,
          records: { $live: 'pdns_zone.one#rrsets', at: '/records', with: { '': { records: former, ttl: 300 } } },
        },
      ],
    })
  })

  it('are read by the stored id, and not by name', async () => {
    const stored = api()
    await planOne(zone, { spec, ids: { id: 'example.org.' } }, stored)
    expect(stored.sent.map(({ url }) => url)).toEqual([`http://api.test${zones}/example.org.`])
    const moved = api()
    const { read } = await planOne(zone, { spec, ids: { id: 'gone=2F.' } }, moved)
    expect(moved.sent.map(({ url }) => url)).toEqual([`http://api.test${zones}/gone%3D2F.`])
    expect(read).toEqual({ kind: 'absent' })
  })

  it('sign in with a reference and never with a value', async () => {
    const transport = api()
    await planOne(zone, { spec }, transport)
    expect(transport.sent[0]).toMatchObject({
      effect: 'read',
      headers: { Accept: 'application/json' },
      auth: { kind: 'header', name: 'X-API-Key', template: '{secret}', secret: { $secret: 'env:KEY' } },
    })
  })

  it('send large changes in batches', long, async () => {
    const many = Array.from({ length: 1201 }, (_, n) => ({
      name: `h${n}.example.org.`,
      type: 'A',
      ttl: 60,
      records: [{ content: '192.0.2.1' }],
    }))
    const { commands } = await planOne(zone, { spec: { ...spec, rrsets: many } }, api())
    const sizes = commands.map(({ request }) => (request.body as { rrsets: unknown[] }).rrsets.length)
    expect(sizes).toEqual([500, 500, 201])
  })
})
