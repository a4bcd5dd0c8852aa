import type { Address } from '../../schema/resource.ts'
import { defined } from '../defined.ts'
import { globPattern } from '../texts/glob.ts'

/*
 * The syntax of addresses is that of OpenTofu: `pdns_zone.main`, an instance `pdns_zone.main["eu"]`, and both in a
 * module: `module.prod["eu"].pdns_zone.main`. A key is a JSON string. Only this file writes and reads addresses.
 */

const key = String.raw`\["(?:[^"\\]|\\.)*"\]`
const moduleStep = new RegExp(String.raw`module\.([^.[\]"]+)(${key}|\[[^\]"]*\])?`, 'y')
const resourceStep = new RegExp(String.raw`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\.([\w-]+)(${key})?`, 'y')

interface InstanceStep {
  readonly name: string
  readonly key?: string
}

interface ParsedAddress extends InstanceStep {
  /** From the outermost module to the one that contains the resource. */
  readonly modules: readonly InstanceStep[]
  readonly type: string
}

/** The address of the instance with this key; `base` itself without a key. */
export const instanceAddress = (base: string, key: string | undefined): string =>
  key === undefined ? base : `${base}[${JSON.stringify(key)}]`

/** The address in the workspace of an address that is relative to a module. `module` is `''` for no module. */
export const addressWithin = (module: string, address: string): string =>
  module === '' ? address : `${module}.${address}`

export const resourceAddress = (named: {
  readonly module?: string | undefined
  readonly type: string
  readonly name: string
}): Address => addressWithin(named.module ?? '', `${named.type}.${named.name}`)

export const moduleAddress = (parent: string, name: string): string => addressWithin(parent, `module.${name}`)

const readKey = (written: string | undefined): { readonly key?: string } | undefined => {
  if (written === undefined) return {}
  try {
    return { key: JSON.parse(written.slice(1, -1)) as string }
  } catch {
    return undefined
  }
}

const at = (pattern: RegExp, text: string, start: number): RegExpExecArray | null => {
  pattern.lastIndex = start
  return pattern.exec(text)
}

/**
 * The modules at the start of an address, as they are written: `module.a["x.y"]`, `module.b`. Indexes may be numbers.
 */
export const moduleSteps = (address: string): readonly string[] => {
  const steps: string[] = []
  let start = 0
  for (let found = at(moduleStep, address, start); found !== null; found = at(moduleStep, address, start)) {
    const end = start + found[0].length
    if (end !== address.length && address[end] !== '.') break
    steps.push(found[0])
    start = end + 1
  }
  return steps
}

const parseModule = (step: string): InstanceStep | undefined => {
  const [, name = '', written] = at(moduleStep, step, 0) ?? []
  const read = readKey(written)
  return typeof read?.key === 'string' || (read !== undefined && written === undefined) ? { name, ...read } : undefined
}

/** `undefined` if the text is not the address of a resource. */
export const parseAddress = (text: string): ParsedAddress | undefined => {
  const steps = moduleSteps(text)
  const modules = steps.map(parseModule).filter((each) => each !== undefined)
  const start = steps.reduce((length, step) => length + step.length + 1, 0)
  const found = at(resourceStep, text, start)
  const read = readKey(found?.[3])
  if (found === null || read === undefined || modules.length < steps.length) return undefined
  if (start + found[0].length !== text.length) return undefined
  return { modules, type: found[1] ?? '', name: found[2] ?? '', ...defined({ key: read.key }) }
}

const namedText = (named: InstanceStep): string => instanceAddress(named.name, named.key)

/** The only spelling of an address: the key `"\u0061"` is `"a"`. A text that is not an address is unchanged. */
export const canonicalAddress = (text: string): Address => {
  const modules = moduleSteps(text)
  const parsed = parseAddress(text)
  if (parsed !== undefined)
    return [...parsed.modules.map((each) => `module.${namedText(each)}`), `${parsed.type}.${namedText(parsed)}`].join(
      '.',
    )
  const named = modules.join('.') === text ? modules.map(parseModule) : []
  return named.length > 0 && named.every((each) => each !== undefined)
    ? named.map((each) => `module.${namedText(each)}`).join('.')
    : text
}

/** Whether an address equals `named`, or is an instance of it, or is in that module. */
export const isWithin = (address: Address, named: string): boolean => {
  if (named === '' || !address.startsWith(named)) return address === named
  const next = address[named.length]
  return next === undefined || next === '[' || (next === '.' && moduleSteps(named).join('.') === named)
}

/** Without its meaning in a pattern, which the `*` in the key of an instance does not have. */
const plainStars = (text: string): string => text.replaceAll('*', '\0')

const withPlainKeys = (text: string): string => text.replaceAll(new RegExp(key, 'g'), plainStars)

/** Whether the `*` of a text matches parts of addresses. In the key of an instance, a `*` matches only itself. */
export const isAddressPattern = (text: string): boolean => withPlainKeys(text).includes('*')

/**
 * Matches the addresses that a rule or a target names: `*` matches any part of an address; an address without a key
 * matches all instances of its resource, and the address of a module matches all resources in it.
 */
export const addressPattern = (text: string): ((address: Address) => boolean) => {
  if (isAddressPattern(text)) {
    const matches = globPattern(withPlainKeys(text))
    return (address) => matches(plainStars(address))
  }
  const named = canonicalAddress(text)
  return (address) => isWithin(address, named)
}

/** Splits `<address>#<more>`. A key may contain a `#` too. */
export const splitPlace = (text: string): readonly [address: Address, more: string] => {
  const [, address, more] = /^((?:[^"#]|"(?:[^"\\]|\\.)*")*)#(.*)$/s.exec(text) ?? []
  return address === undefined ? [text, ''] : [address, more ?? '']
}

/** The id of a command begins with the address of its resource. */
export const addressOf = (id: string): string => id.slice(0, id.lastIndexOf('#'))

/** As a YAML list in one line takes it: an address with a key has brackets and quotes. */
export const inYaml = (address: Address): string =>
  /^[\w.-]+$/.test(address) ? address : `'${address.replaceAll("'", "''")}'`
