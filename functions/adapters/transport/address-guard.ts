import { lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/*
 * Where a function runs, some addresses are the function itself and what hands out its credentials: loopback (the Lambda
 * runtime API), the unspecified address, which connects to loopback, link-local ones (the metadata and credential services
 * of EC2, ECS and EKS), and those services' own IPv6 network.
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

/** IPv6 networks that carry an IPv4 address in their last 32 bits: compatible, translated, NAT64 (RFC 4291, 2765, 6052).
 * Node itself takes a mapped one (`::ffff:127.0.0.1`) for what it stands for. */
const carriers = ['::', '::ffff:0:', '64:ff9b::'] as const

/** 6to4 (RFC 3056): the IPv4 address stands right behind the first 16 bits. */
const sixToFour = (network: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = network.split('.').map(Number)
  return `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`
}

const own = new BlockList()
for (const [network, bits] of own4) {
  own.addSubnet(network, bits, 'ipv4')
  for (const carrier of carriers) own.addSubnet(`${carrier}${network}`, 96 + bits, 'ipv6')
  own.addSubnet(sixToFour(network), 16 + bits, 'ipv6')
}
for (const [network, bits] of own6) own.addSubnet(network, bits, 'ipv6')

/** Whether an IP address is of the machine itself, or of what hands out its credentials. What is no address is not. */
export const isOwnAddress = (address: string): boolean => {
  const family = isIP(address)
  return family !== 0 && own.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

const codeOfRefusal = 'ERR_OWN_ADDRESS'

const refusal = (address: string): NodeJS.ErrnoException & { address: string } =>
  Object.assign(new Error('the address is refused'), { code: codeOfRefusal, address })

/** The address that a failed connection was refused for; `undefined` where it failed for another reason. */
export const refusedAddress = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && error.code === codeOfRefusal && 'address' in error
    ? String(error.address)
    : undefined

/** Stands between a name and every connection that is opened for it. */
export interface AddressGuard {
  /** Why a host that is an address already is not connected to. Such a host is never looked up. */
  readonly refuse: (host: string) => Error | undefined
  /** For the agent that opens connections: what a name stands for at that very moment is judged, and no other is used. */
  readonly lookup: LookupFunction
}

/** Of several addresses of a name none may be the machine's own: which of them is tried is not ours to choose. */
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
