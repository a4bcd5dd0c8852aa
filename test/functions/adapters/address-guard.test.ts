import type { lookup } from 'node:dns'
import { isIP } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../core/engine/errors/errors.ts'
import { unknownFromError } from '../../../core/engine/transport/answer/unknown.ts'
import type { WireRequest } from '../../../core/engine/transport/transport.ts'
import {
  type AddressGuard,
  createAddressGuard,
  isOwnAddress,
} from '../../../functions/adapters/transport/http/address-guard.ts'
import { createHttpTransport, type HttpOptions } from '../../../functions/adapters/transport/http/http.ts'
import { lawRuns } from '../../builders/laws.ts'
import { aLoopback } from '../../builders/servers/loopback.ts'
import { aGet, aWrite } from '../../builders/values/transports.ts'

type Found = readonly { readonly address: string; readonly family: number }[]

/** A resolver that knows these names only, and how often each was asked for. */
const names = (known: Readonly<Record<string, () => readonly string[]>>) => {
  const asked: string[] = []
  const resolve = (name: string, _: unknown, done: (error: Error | null, found: Found) => void) => {
    asked.push(name)
    const found = known[name.toLowerCase().replace(/\.$/, '')]?.()
    if (found === undefined) return done(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), [])
    done(
      null,
      found.map((address) => ({ address, family: isIP(address) })),
    )
  }
  return { asked, resolve: resolve as typeof lookup }
}

/** A server on this machine stands for one far away, under this name alone. */
const far = 'target.example'
const besides = (guard: AddressGuard): AddressGuard => ({
  ...guard,
  lookup: (name, options, done) =>
    name === far ? done(null, [{ address: '127.0.0.1', family: 4 }]) : guard.lookup(name, options, done),
})

const sent = async (url: string, options: HttpOptions) => {
  const answer = await createHttpTransport(options)
    .send(aGet(url))
    .catch((error: unknown) => error)
  return answer instanceof AppError ? answer.code : 'answered'
}

const parts = (address: string): number[] => address.split('.').map(Number)
const spelledNumber = (n: number) =>
  fc.constantFrom(String(n), `0x${n.toString(16)}`, `0X${n.toString(16).toUpperCase()}`, `0${n.toString(8)}`)

/** As `inet_aton` and every browser read it: one to four numbers, each in any base, the last one takes the rest. */
const spelled4 = (address: string): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: 4 }).chain((count) => {
    const all = parts(address)
    const rest = all.slice(count - 1).reduce((sum, part) => sum * 256 + part, 0)
    const numbers = [...all.slice(0, count - 1), rest].map(spelledNumber)
    return fc.tuple(fc.tuple(...numbers), fc.constantFrom('', '.')).map(([each, dot]) => each.join('.') + dot)
  })

const groups = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = parts(address)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

const turned = (address: string): string =>
  groups(
    parts(address)
      .map((part) => 255 - part)
      .join('.'),
  )

/** An address in a NAT64 prefix of 48, 56, 64 or 96 bits: the octet at bit 64 stays zero (RFC 6052, 2.2). */
const translated = (network: string, bits: number, address: string): string => {
  const octets = [...Buffer.from(network, 'hex'), ...Array<number>(10).fill(0)]
  let at = bits / 8
  for (const part of parts(address)) {
    if (at === 8) at += 1
    octets[at] = part
    at += 1
  }
  return (Buffer.from(octets).toString('hex').match(/.{4}/g) ?? []).join(':')
}
const localNat64 = (bits: number) => (address: string) => translated('0064ff9b0001', bits, address)

/** A public IPv4 address stands where one is needed beside the carried one. */
const foreign = '192.0.3.9'
const heads = ['::ffff:', '::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '0:0:0:0:0:FFFF:', '2600:1f18::5efe:']
const isatap = ['2600:1f18:1:2:0:5efe:', 'fd12::200:5EFE:', '2001:db8:0:7:300:5efe:', 'fec0::100:5efe:']
const carryings: readonly ((address: string) => string)[] = [
  ...[...heads, ...isatap].flatMap((head) => [
    (address: string) => `${head}${address}`,
    (address: string) => `${head}${groups(address)}`,
  ]),
  (address) => `0000:0000:0000:0000:0000:ffff:${address}`,
  (address) => `2002:${groups(address)}::1`,
  (address) => `2002:${groups(foreign)}:1:0:5efe:${address}`,
  (address) => `2001:0:${groups(address)}:8000:63bf:${turned(foreign)}`,
  (address) => `2001::${groups(foreign)}:0:fbff:${turned(address)}`,
  localNat64(96),
]

/** Every way to carry an IPv4 address in an IPv6 one. */
const spelled6 = (address: string): fc.Arbitrary<string> => fc.constantFrom(...carryings).map((carry) => carry(address))

const byte = fc.integer({ min: 0, max: 255 })
const own4 = fc.oneof(
  fc.tuple(fc.constant(127), byte, byte, byte),
  fc.tuple(fc.constant(0), byte, byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
)
const ownAddress4 = fc.oneof(
  fc.constantFrom('169.254.169.254', '169.254.170.2', '127.0.0.1', '0.0.0.0', '169.254.170.23', '169.254.100.1'),
  own4.map((all) => all.join('.')),
)
const hextet = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16))
const ownAddress6 = fc.oneof(
  fc.constantFrom('::1', '::', '0:0:0:0:0:0:0:1', 'fd00:ec2::254', 'FD00:0EC2:0:0::23', 'fe80::1', 'febf::ffff'),
  hextet.map((group) => `fe80::${group}`),
  hextet.map((group) => `fd00:ec2:${group}::254`),
)
const foreign4 = fc
  .tuple(byte, byte, byte, byte)
  .filter(([a, b]) => a !== 0 && a !== 127 && !(a === 169 && b === 254))
  .map((all) => all.join('.'))

describe('addresses of the machine itself', () => {
  it('are refused in every spelling, and nothing is asked for them', async () => {
    await using server = await aLoopback((_, response) => response.end('{}'))
    const { port } = new URL(server.url)
    const { resolve, asked } = names({})
    const host = fc.oneof(
      ownAddress4.chain(spelled4),
      ownAddress4.chain(spelled6).map((address) => `[${address}]`),
      ownAddress6.map((address) => `[${address}]`),
    )
    const secure = fc.constantFrom('http', 'https')
    await fc.assert(
      fc.asyncProperty(secure, host, async (scheme, spelling) => {
        const guard = createAddressGuard(resolve)
        expect(await sent(`${scheme}://${spelling}:${port}/`, { guard })).toBe('ADDRESS_REFUSED')
      }),
      lawRuns(400),
    )
    expect([server.seen, asked]).toEqual([[], []])
  })

  it('are refused when a name stands for one of them, alone or among others, in every place', async () => {
    await using server = await aLoopback((_, response) => response.end('{}'))
    const { port } = new URL(server.url)
    const ownAddress = fc.oneof(
      ownAddress4,
      ownAddress6,
      ownAddress4.chain(spelled6),
      hextet.map((group) => `fe80::${group}%eth0`),
    )
    const name = fc.constantFrom('localhost', 'LOCALHOST', 'localhost.', 'metadata.internal', 'inside.example.')
    await fc.assert(
      fc.asyncProperty(name, ownAddress, fc.array(foreign4), fc.array(foreign4), async (host, one, before, after) => {
        const answer = () => [...before, one, ...after]
        const known = { localhost: answer, 'metadata.internal': answer, 'inside.example': answer }
        const guard = createAddressGuard(names(known).resolve)
        expect(await sent(`http://${host}:${port}/`, { guard })).toBe('ADDRESS_REFUSED')
      }),
      lawRuns(200),
    )
    expect(server.seen).toEqual([])
  })

  it.each([
    'a.b.c.d',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '8.8.8.8',
    'fd00::1',
    'fc00::1',
    '2001:db8::1',
  ])('do not include %s, because targets may be in private networks', (address) =>
    expect(isOwnAddress(address)).toBe(false),
  )

  it('do not include other addresses, however these are carried', () => {
    void fc.assert(
      fc.property(
        foreign4.chain((address) => fc.oneof(fc.constant(address), spelled6(address))),
        (address) => {
          expect(isOwnAddress(address)).toBe(false)
        },
      ),
    )
  })
})

describe('a NAT64 prefix for local use, whose length only its operator knows', () => {
  // What is in 0.0.0.0/8 stands for nothing there: no translator sends to it.
  const own = ownAddress4.filter((address) => !address.startsWith('0.'))

  it('is refused for an address of the machine at each length', () => {
    void fc.assert(
      fc.property(own, fc.constantFrom(48, 56, 64, 96), (address, bits) => {
        expect(isOwnAddress(localNat64(bits)(address))).toBe(true)
      }),
    )
  })

  it.each([48, 56, 64, 96])('of %s bits still reaches other addresses', (bits) => {
    for (const address of ['8.8.8.8', '10.1.2.3', '192.168.7.20', '203.0.113.77', '100.64.9.1'])
      expect(isOwnAddress(localNat64(bits)(address)), address).toBe(false)
  })
})

describe('a guarded transport', () => {
  it('follows no redirect to an address of the machine, also where the document lets it leave its origin', async () => {
    const places = [
      'http://169.254.169.254/latest/meta-data/',
      'http://localhost/',
      'http://[::ffff:7f00:1]/',
      '//127.1/',
    ]
    for (const location of places) {
      await using server = await aLoopback((_, response) => response.writeHead(302, { location }).end())
      const guard = besides(createAddressGuard(names({ localhost: () => ['::1', '127.0.0.1'] }).resolve))
      const { port } = new URL(server.url)
      const send = createHttpTransport({ guard, otherOrigins: true }).send
      const request: WireRequest = { ...aGet(`http://${far}:${port}/`), isAnonymous: true }
      await expect(send(request)).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
      expect(server.seen).toHaveLength(1)
    }
  })

  it('checks a name at each connection, because its answer may change', async () => {
    await using server = await aLoopback((_, response) => response.setHeader('connection', 'close').end('{}'))
    const { port } = new URL(server.url)
    const guard = createAddressGuard(names({ 'moving.example': () => ['127.0.0.1'] }).resolve)
    const moving: AddressGuard = { ...guard, lookup: besides(guard).lookup }
    let isFar = true
    const lookup: AddressGuard['lookup'] = (name, options, done) => moving.lookup(isFar ? far : name, options, done)
    const transport = createHttpTransport({ guard: { ...guard, lookup } })
    expect(await transport.send(aGet(`http://moving.example:${port}/`))).toMatchObject({ status: 200 })
    isFar = false
    await expect(transport.send(aGet(`http://moving.example:${port}/`))).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
      payload: { address: '127.0.0.1' },
    })
    expect(server.seen).toHaveLength(1)
  })

  it('sends no write to an address of the machine, and says that it was not sent', async () => {
    await using server = await aLoopback((_, response) => response.end('{}'))
    const send = createHttpTransport({ guard: createAddressGuard() }).send
    const request = aWrite('PUT', {})
    await expect(send({ ...request, url: `${server.url}/things` })).rejects.toThrow(
      /was not sent: 127\.0\.0\.1 is an address of the sending machine/,
    )
    expect(server.seen).toEqual([])
  })

  it('connects to no Unix socket of the machine', async () => {
    const socket = { path: '/var/run/docker.sock', origin: 'http://docker' }
    expect(await sent('http://docker/info', { guard: createAddressGuard(), socket })).toBe('ADDRESS_REFUSED')
  })

  it('answers like an unguarded one where the address is another, and names what it could not find', async () => {
    await using server = await aLoopback((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":[1]}'),
    )
    const { port } = new URL(server.url)
    const guard = besides(createAddressGuard(names({}).resolve))
    const { send } = createHttpTransport({ guard })
    expect(await send(aGet(`http://${far}:${port}/`))).toMatchObject({ status: 200, body: { a: [1] } })
    await expect(send(aGet('http://nowhere.example/'))).rejects.toThrow(/the name of the host is not known/)
  })

  it('reports a read as unknown with the address as its reason', async () => {
    const guard = createAddressGuard()
    const error = await createHttpTransport({ guard })
      .send(aGet('http://2130706433:8080/'))
      .catch((thrown: unknown) => thrown)
    expect(unknownFromError(error)).toMatchObject({
      kind: 'unknown',
      reason: 'network',
      detail: expect.stringContaining('127.0.0.1'),
    })
  })
})
