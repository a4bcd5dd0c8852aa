import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { groupsOf } from '#core'

/*
 * Where a function runs, some addresses belong to the function itself or to the services that give out its credentials:
 * loopback (the Lambda runtime API), the unspecified address, which connects to loopback, link-local ones (the metadata
 * and credential services of EC2, ECS and EKS), and those services' own IPv6 network.
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-iam-roles.html
 * https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html
 */
const own4 = [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
] as const
const own6 = [
  ['::', 127],
  ['fe80::', 10],
  ['fd00:ec2::', 32],
] as const

const networks = new BlockList()
for (const [network, bits] of own4) networks.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of own6) networks.addSubnet(network, bits, 'ipv6')

/**
 * Matches IPv6 addresses, as 32 hexadecimal digits, that contain an IPv4 address: compatible, mapped (RFC 4291),
 * translated (RFC 2765), NAT64 (RFC 6052), 6to4 (RFC 3056), the server of Teredo (RFC 4380), and ISATAP under any
 * prefix (RFC 5214).
 */
const carriers = [
  /^0{24}(.{8})$/,
  /^0{20}ffff(.{8})$/,
  /^0{16}ffff0000(.{8})$/,
  /^0064ff9b0{16}(.{8})$/,
  /^2002(.{8})/,
  /^20010000(.{8})/,
  /^.{16}0[0-3]005efe(.{8})$/,
]

/** The client of Teredo, with all bits inverted. */
const turned = /^20010000.{16}(.{8})$/

/**
 * NAT64 for local use (RFC 8215): its operator chooses the length of the prefix: 48, 56, 64 or 96 bits (RFC 6052, 2.2).
 */
const localUse = [
  /^0064ff9b0001(.{4})..(.{4})/,
  /^0064ff9b0001..(..)..(.{6})/,
  /^0064ff9b0001.{4}..(.{8})/,
  /^0064ff9b0001.{12}(.{8})$/,
]

const digitsOf = (address: string): string =>
  groupsOf(address.replace(/%.*$/, ''))
    .map((group) => group.toString(16).padStart(4, '0'))
    .join('')

const read = (forms: readonly RegExp[], digits: string): readonly number[] =>
  forms.flatMap((form) => {
    const found = form.exec(digits)
    return found === null ? [] : [Number.parseInt(found.slice(1).join(''), 16)]
  })

/**
 * The prefix length of a local NAT64 is unknown: every possible length is tried. A result in 0.0.0.0/8 counts only if all
 * lengths give one.
 */
const carried = (digits: string): readonly number[] => {
  const local = read(localUse, digits)
  const something = local.filter((each) => each >= 2 ** 24)
  const client = read([turned], digits).map((each) => 2 ** 32 - 1 - each)
  return [...read(carriers, digits), ...client, ...(something.length > 0 ? something : local)]
}

const isOwn4 = (address: number): boolean =>
  networks.check([24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.'), 'ipv4')

/**
 * Tells whether an IP address belongs to the machine itself, or to a service that gives out its credentials. False for
 * a text that is not an address.
 */
export const isOwnAddress = (address: string): boolean => {
  const family = isIP(address)
  if (family !== 6) return family === 4 && networks.check(address, 'ipv4')
  return networks.check(address, 'ipv6') || carried(digitsOf(address)).some(isOwn4)
}

const codeOfRefusal = 'ERR_OWN_ADDRESS'

const refusal = (address: string): NodeJS.ErrnoException & { address: string } =>
  Object.assign(new Error('the address is refused'), { code: codeOfRefusal, address })

/** Returns the address for which a connection was refused; `undefined` if it failed for another reason. */
export const refusedAddress = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && error.code === codeOfRefusal && 'address' in error
    ? String(error.address)
    : undefined

/** Checks every address that a name resolves to, before a connection is opened. */
export interface AddressGuard {
  /** Returns the reason to refuse a host that is already an address. Such a host is never looked up. */
  readonly refuse: (host: string) => Error | undefined
  /**
   * For the agent that opens connections: checks the addresses of a name at that moment, so that the agent connects
   * only to them.
   */
  readonly lookup: LookupFunction
}

/** If a name has several addresses, none may be the machine's own, because the agent chooses which one to use. */
export const createAddressGuard = (resolve: typeof systemLookup = systemLookup): AddressGuard => ({
  refuse: (host) => {
    const address = host.replace(/^\[(.*)\]$/, '$1')
    return isOwnAddress(address) ? refusal(address) : undefined
  },
  lookup: (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) return callback(error, [])
      const refused = addresses.find(({ address }) => isOwnAddress(address))
      if (refused !== undefined) return callback(refusal(refused.address), [])
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  },
})
