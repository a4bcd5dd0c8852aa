import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ResourceType } from '../../core/engine/provider/provider.ts'
import {
  type Case,
  exampleText,
  linesOf,
  type Planned,
  planOne,
  providerOf,
  typeOf,
} from '../builders/workspaces/rest.ts'
import { type DirectTransport, directTransport } from './direct-transport.ts'
import { startPowerdns } from './servers/powerdns.ts'
import type { TargetServer } from './servers/run-server.ts'

let server: TargetServer
let zone: ResourceType
let transport: DirectTransport

beforeAll(async () => {
  server = await startPowerdns()
  zone = typeOf(
    providerOf(exampleText('powerdns'), { baseUrl: server.baseUrl, apiKey: { $secret: 'env:KEY' } }),
    'pdns_zone',
  )
  transport = directTransport(server)
})
afterAll(() => server?.stop())

const planOf = (wanted: Case) => planOne(zone, wanted, transport)
const lines = async (wanted: Case) => linesOf((await planOf(wanted)).commands, server.baseUrl)
const objectsIn = ({ read }: Planned) => (read.kind === 'present' ? { objects: read.objects } : {})
const apply = async (wanted: Case): Promise<void> => {
  const planned = await planOf(wanted)
  await transport.carryOut(planned.commands, objectsIn(planned))
}

const zones = '/api/v1/servers/localhost/zones'
const www = {
  name: 'www.example.org.',
  type: 'A',
  ttl: 300,
  records: [{ content: '192.0.2.1' }, { content: '192.0.2.2' }],
}
const old = { name: 'old.example.org.', type: 'A', ttl: 300, records: [{ content: '192.0.2.9' }] }
const base = { name: 'example.org.', kind: 'Native', nameservers: ['ns1.example.org.', 'ns2.example.org.'] }
const exclusive = { manage: { rrsets: 'exclusive' } } as const

describe('the worked outcomes on a live server', () => {
  it('P4 a missing zone is one POST, after which there is nothing to do, twice', async () => {
    const wanted = { spec: { ...base, rrsets: [www, old] } }
    expect((await lines(wanted)).map(([line]) => line)).toEqual([`POST ${zones}`])
    await apply(wanted)
    expect(await lines(wanted)).toEqual([])
    expect(await lines(wanted)).toEqual([])
  })

  it('P1 order, final dots and case do not show', async () => {
    const other = { name: 'WWW.Example.org', type: 'a', ttl: 300, records: www.records.toReversed() }
    expect(await lines({ spec: { name: 'Example.ORG', kind: 'native', rrsets: [other] } })).toEqual([])
  })

  it('P2 a kind, a TTL and a new rrset are one PUT and one PATCH, and nothing else moves', async () => {
    const before = await server.dump()
    const spec = {
      ...base,
      kind: 'Master',
      rrsets: [
        { ...www, ttl: 600 },
        { ...www, name: 'api.example.org.' },
      ],
    }
    expect((await lines({ spec })).map(([line]) => line)).toEqual([
      `PUT ${zones}/example.org.`,
      `PATCH ${zones}/example.org.`,
    ])
    const { commands, ...planned } = await planOf({ spec })
    await transport.carryOut(commands, objectsIn({ ...planned, commands }))
    expect(await lines({ spec })).toEqual([])
    const now = objectsIn(await planOf({ spec }))
    for (const { inverse } of commands.toReversed()) {
      if (inverse !== undefined)
        await transport.carryOut([{ action: 'update', description: '', grade: 'unknown', request: inverse }], now)
    }
    // Undone, it is what it was, but for the serial that the server counts.
    expect(withoutSerials(await server.dump())).toEqual(withoutSerials(before))
  })

  it('P3 exclusive removes what is not declared, and neither SOA nor apex NS', async () => {
    const wanted = { spec: { ...base, rrsets: [www] }, lifecycle: exclusive }
    expect(await lines(wanted)).toEqual([
      [`PATCH ${zones}/example.org.`, { rrsets: [{ name: 'old.example.org.', type: 'A', changetype: 'DELETE' }] }],
    ])
    await apply(wanted)
    expect(await lines(wanted)).toEqual([])
  })

  it('one change by pdnsutil is one planned change at a readable path', async () => {
    await server.cli(['replace-rrset', 'example.org', 'www', 'A', '120', '203.0.113.9'])
    const wanted = { spec: { ...base, rrsets: [www] }, lifecycle: exclusive }
    const { planned, commands, read } = await planOf(wanted)
    expect(planned.change?.causes.map(({ path }) => path.slice(0, 2))).toContainEqual(['rrsets', 'www.example.org. A'])
    expect(commands).toHaveLength(1)
    await transport.carryOut(commands, objectsIn({ read, planned, commands }))
    expect(await lines(wanted)).toEqual([])
  })

  it('P6 exclusive and empty removes all that is ours', async () => {
    const wanted = { spec: { ...base, rrsets: [] }, lifecycle: exclusive }
    await apply(wanted)
    const left = (await planOf(wanted)).read
    expect(left).toMatchObject({ kind: 'present' })
    expect(JSON.stringify(left)).not.toContain('www.')
    expect(JSON.stringify(left)).toContain('ns1.example.org.')
  })

  it('P5 absent is one DELETE', async () => {
    const wanted = { spec: { name: 'example.org.' }, absent: true }
    expect(await lines(wanted)).toEqual([[`DELETE ${zones}/example.org.`]])
    await apply(wanted)
    expect(await lines(wanted)).toEqual([])
  })

  it('P5 undone brings the zone back, its records too', async () => {
    const spec = {
      name: 'undo.example.',
      kind: 'Master',
      account: 'me',
      rrsets: [{ ...www, name: 'www.undo.example.' }],
    }
    await apply({ spec })
    const before = await server.dump()
    const { commands } = await planOf({ spec: { name: 'undo.example.' }, absent: true })
    await transport.carryOut(commands)
    const [{ inverse } = {}] = commands
    if (inverse !== undefined)
      await transport.carryOut([{ action: 'create', description: '', grade: 'unknown', request: inverse }])
    expect(withoutSerials(await server.dump())).toEqual(withoutSerials(before))
    await apply({ spec: { name: 'undo.example.' }, absent: true })
  })
})

const withoutSerials = (dump: unknown): unknown =>
  JSON.parse(
    JSON.stringify(dump)
      .replaceAll(/"(?:edited_)?serial":\d+/g, '"serial":0')
      .replaceAll(/\b20\d{8}\b/g, '0'),
  )

describe('what the server makes of values', () => {
  it.each([
    ['AAAA', '2001:0DB8:0:0:1:0:0:1'],
    ['CNAME', 'Target.Example.net'],
    ['MX', '10  mail.example.org'],
    ['SRV', '0 5 5060  sip.example.org'],
    ['TXT', 'v=spf1 include:a.example ~all'],
    ['TXT', '"one" "two; three"'],
    ['TXT', 'say "hi" \\ there'],
    ['CAA', '0 issue "letsencrypt.org"'],
    ['SSHFP', '1 1 ABCDEF0123456789ABCDEF0123456789ABCDEF01'],
    ['TLSA', '3 1 1 ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789'],
    ['DS', '12345 8 2 ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789'],
    ['NAPTR', '100 50 "S" "SIP+D2U" "" _sip._udp.example.org.'],
    ['PTR', 'host.example.org'],
  ])('%s %j is taken, and shows no difference afterwards', async (type, content) => {
    const spec = {
      name: 'values.example.',
      kind: 'Native',
      rrsets: [{ name: 'x.values.example.', type, ttl: 60, records: [{ content }] }],
    }
    await apply({ spec, lifecycle: exclusive })
    expect(await lines({ spec, lifecycle: exclusive })).toEqual([])
  })

  it('all attributes of a zone settle, on a create and on an update', async () => {
    const spec = {
      name: '2.0/25.2.0.192.in-addr.arpa.',
      kind: 'native',
      masters: ['192.0.2.1:5300', '2001:DB8::1'],
      account: 'me',
      soa_edit_api: 'INCREASE',
      soa_edit: 'INCEPTION-INCREMENT',
      api_rectify: true,
      dnssec: true,
      nsec3param: '1 0 0 -',
      nsec3narrow: false,
      catalog: 'catalog.example',
    }
    await apply({ spec })
    expect(await lines({ spec })).toEqual([])
    const changed = {
      ...spec,
      kind: 'Master',
      masters: [],
      account: null,
      api_rectify: false,
      dnssec: false,
      nsec3param: '',
      catalog: '',
    }
    expect((await lines({ spec: changed })).map(([line]) => line)).toEqual([
      `PUT ${zones}/2.0%3D2F25.2.0.192.in-addr.arpa.`,
    ])
    await apply({ spec: changed })
    expect(await lines({ spec: changed })).toEqual([])
  })

  it('comments are kept, changed and cleared', async () => {
    const rrset = { name: 'c.values.example.', type: 'A', ttl: 60, records: [{ content: '192.0.2.1' }] }
    const spec = (more: object) => ({ name: 'values.example.', rrsets: [{ ...rrset, ...more }] })
    await apply({ spec: spec({ comments: [{ content: 'first', account: 'me' }] }) })
    await apply({ spec: spec({ ttl: 61 }) })
    expect(await lines({ spec: spec({ ttl: 61, comments: [{ content: 'first', account: 'me' }] }) })).toEqual([])
    await apply({ spec: spec({ ttl: 61, comments: [] }) })
    expect(await lines({ spec: spec({ ttl: 61, comments: [] }) })).toEqual([])
  })

  it('a CNAME takes the place of an A in one step', async () => {
    const at = (type: string, content: string) => ({
      name: 'values.example.',
      rrsets: [{ name: 's.values.example.', type, ttl: 60, records: [{ content }] }],
    })
    await apply({ spec: at('A', '192.0.2.1'), lifecycle: exclusive })
    await apply({ spec: at('CNAME', 'x.example.org.'), lifecycle: exclusive })
    expect(await lines({ spec: at('CNAME', 'x.example.org.'), lifecycle: exclusive })).toEqual([])
  })

  it('a wrong key is unauthorised, and never absent', async () => {
    const stranger = directTransport({ ...server, headers: { 'X-API-Key': 'wrong' } })
    const { read } = await planOne(zone, { spec: { name: 'values.example.' } }, stranger)
    expect(read).toMatchObject({ kind: 'unknown', reason: 'unauthorised' })
  })

  it('lists all zones', async () => {
    const listed = await zone.list?.([{ address: 'a', attributes: { name: 'values.example.' } }], { transport })
    const names = listed?.kind === 'listed' ? listed.objects.map(({ identity }) => identity['name']) : []
    expect(names.toSorted()).toEqual(['2.0/25.2.0.192.in-addr.arpa.', 'values.example.'])
  })
})
