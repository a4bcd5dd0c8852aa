import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/engine/schema/json.ts'
import type { ProbeInput } from '../../core/tools/authoring/probe/probe-provider.ts'
import { probing } from '../builders/workspaces/probing.ts'
import { startPowerdns } from './servers/powerdns.ts'
import { startRabbitmq } from './servers/rabbitmq.ts'
import type { TargetServer } from './servers/run-server.ts'

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, '..', '..', 'examples', name, `${name}.provider.yaml`), 'utf8')

const probeTarget = async (text: string, own: JsonObject, secret: string, given: ProbeInput['given']) => {
  const report = await probing(text, undefined, { with: own, given, secrets: { 'env:KEY': secret } })
  expect(report.left).toEqual([])
  expect(JSON.stringify(report)).not.toContain(secret)
  const found = report.findings.map(({ type, attribute, add }) => [`${type}.${attribute ?? ''}`, add] as const)
  return { ...report, found }
}

describe('a probe of PowerDNS', () => {
  let server: TargetServer
  beforeAll(async () => {
    server = await startPowerdns()
    await server.cli(['create-zone', 'other.example', 'ns1.other.example'])
  })
  afterAll(() => server?.stop())

  it('finds what a careless document does not say, and touches nothing else', async () => {
    const before = await server.dump()
    const careless = example('powerdns')
      .replace('account: { default: "", nullMeans: empty }', 'account: {}')
      .replace('immutable: true, normalise: [lower, trailingDot]', 'immutable: true, normalise: [trailingDot]')
      .replace('catalog: { default: "", nullMeans: empty, normalise: [lower, trailingDot] }', 'catalog: {}')
      .replace('edited_serial: { type: number, computed: true }', 'edited_serial: { type: number }')
      .replace('immutable: true, writeOnly: true, sendOn: create', 'immutable: true, sendOn: create')
    const { credentials } = server
    const { found, skipped } = await probeTarget(
      careless,
      { baseUrl: server.baseUrl, apiKey: { secret: 'env:KEY' } },
      credentials['apiKey'] ?? '',
      { pdns_zone: { name: ['Plumbline-Probe-{suffix}.example.'], nameservers: [['ns1.example.org.']] } },
    )
    expect(found).toEqual(
      expect.arrayContaining([
        ['pdns_zone.name', { normalise: ['trailingDot', 'lower'] }],
        ['pdns_zone.kind', { required: true }],
        ['pdns_zone.account', { default: '' }],
        ['pdns_zone.catalog', { normalise: ['trailingDot'] }],
        ['pdns_zone.edited_serial', { computed: true }],
        ['pdns_zone.nameservers', { writeOnly: true }],
      ]),
    )
    expect(skipped.map(({ attribute }) => attribute)).toContain('rrsets')
    expect(await server.dump()).toEqual(before)
  })
})

describe('a probe of RabbitMQ', () => {
  let server: TargetServer
  beforeAll(async () => {
    server = await startRabbitmq()
  })
  afterAll(() => server?.stop())

  it('makes every type inside of what it made, and takes all away', async () => {
    const before = await server.dump()
    const { credentials, baseUrl } = server
    const given = {
      rabbitmq_exchange: { type: ['topic'] },
      rabbitmq_policy: { definition: [{ 'max-length': 5 }, { 'max-length': 6 }], pattern: ['^probe'] },
    }
    const { found, skipped, made } = await probeTarget(
      example('rabbitmq'),
      { baseUrl, user: credentials['user'] ?? '', password: { secret: 'env:KEY' } },
      credentials['password'] ?? '',
      given,
    )
    expect(new Set(made.map(({ type }) => type)).size).toBe(9)
    expect(skipped.filter(({ attribute }) => attribute === undefined)).toEqual([])
    expect(found).toContainEqual(['rabbitmq_user.hashing_algorithm', { default: 'rabbit_password_hashing_sha256' }])
    expect(await server.dump()).toEqual(before)
  })
})
