import { canonicalIpv6, groupsOf } from './ipv6.ts'

interface ParsedIp {
  readonly address: string
  /** Bits; absent if the text has no prefix. */
  readonly prefix?: number
  readonly bits: 32 | 128
}

const octets = (text: string): readonly number[] | undefined => {
  const found = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1)
  // Some readers take a leading zero as octal and others as decimal, so the address is ambiguous.
  if (found === undefined || found.some((part) => part.length > 1 && part.startsWith('0'))) return undefined
  const parts = found.map(Number)
  return parts.every((part) => part <= 255) ? parts : undefined
}

/** Bits of `24` or `255.255.255.0`; `undefined` for a mask with holes. */
const prefixOf = (text: string, bits: 32 | 128): number | undefined => {
  if (/^(0|[1-9]\d{0,2})$/.test(text)) return Number(text) <= bits ? Number(text) : undefined
  const mask = bits === 32 ? octets(text) : undefined
  const binary = mask?.map((part) => part.toString(2).padStart(8, '0')).join('')
  return binary !== undefined && /^1*0*$/.test(binary) ? binary.replaceAll('0', '').length : undefined
}

const parse = (text: string): ParsedIp | undefined => {
  const [host = '', written, ...more] = text.trim().split('/')
  if (more.length > 0) return undefined
  const four = octets(host)
  const address = four === undefined ? canonicalIpv6(host) : four.join('.')
  if (address === undefined) return undefined
  const bits = four === undefined ? 128 : 32
  if (written === undefined) return { address, bits }
  const prefix = prefixOf(written, bits)
  return prefix === undefined ? undefined : { address, prefix, bits }
}

/** An address, with its prefix if the text has one; `undefined` if it is invalid. Host bits are kept. */
export const canonicalIp = (text: string): string | undefined => {
  const parsed = parse(text)
  return parsed && (parsed.prefix === undefined ? parsed.address : `${parsed.address}/${parsed.prefix}`)
}

/** A network: host bits are zero, and an address without a prefix is a network with one address. */
export const canonicalNetwork = (text: string): string | undefined => {
  const parsed = parse(text)
  if (parsed === undefined) return undefined
  const { address, bits, prefix = bits } = parsed
  const kept = bits === 32 ? maskFour(address, prefix) : maskSix(address, prefix)
  return kept && `${kept}/${prefix}`
}

const masked = (parts: readonly number[], width: number, prefix: number): readonly number[] =>
  parts.map((part, index) => {
    const free = Math.min(width, Math.max(0, (index + 1) * width - prefix))
    return free === width ? 0 : (part >> free) << free
  })

const maskFour = (address: string, prefix: number): string =>
  masked(address.split('.').map(Number), 8, prefix).join('.')

const maskSix = (address: string, prefix: number): string | undefined =>
  canonicalIpv6(
    masked(groupsOf(address), 16, prefix)
      .map((group) => group.toString(16))
      .join(':'),
  )
