import * as fc from 'fast-check'
import type { Json } from '../../../core/engine/schema/json.ts'

/* Random documents, written in random styles. The root is a mapping in block style, written member by member. */

/** Texts that some style of YAML cannot write, or reads as something else. */
const odd = [
  'yes', 'no', 'on', 'null', '~', 'true', '1e3', '0x10', '0o7', '1_000', '.5', '-', '2027-01-01', '12:30:00', '', ' ', ' a', 'a ', 'a: b', 'a #b', '#a', '- a', '? a',
  '*a', '&a', '!a', '%a', '@a', '`a', '{a', 'a]', 'a, b', '"a', "it's", '\\', 'a\\nb', 'a\nb', 'a\n', 'a\n\n', '\na', '  a\nb\n', 'a\n b\n', 'a\n\n\nb', 'a\tb', '\ta', 'a\r\nb',
  'é', '日本', '🚀', '👩‍👩‍👧', '\u0007', '\u0085', '\u2028', '\uFEFF', '\u202Etxt', '<<', '---', '...', '$${x}', 'one two three four five six seven eight nine ten eleven twelve thirteen',
] // biome-ignore format: one table

const scalar: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...odd) },
  { weight: 2, arbitrary: fc.string({ maxLength: 12 }) },
  fc.integer({ min: -1000, max: 100_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((value) => value + 0),
  fc.boolean(),
  fc.constant(null),
)
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'name', 'ttl', 'some-key') },
  fc.constantFrom('on', 'a b', '1', 'x:y', '', '#', 'null'),
)

export const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

/** Decisions about style, one after the other. */
export type Choose = (choices: number) => number

export const chooser = (tape: readonly number[]): Choose => {
  let at = 0
  return (choices) => (tape[at++ % tape.length] ?? 0) % choices
}

const isNested = (value: Json): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

const flowScalar = (value: Json, choose: Choose): string => {
  if (typeof value !== 'string') return JSON.stringify(value)
  if (/^[a-zA-Z]{2,}$/.test(value) && !/^(null|true|false|yes|no|on|off)$/i.test(value) && choose(2) === 0) return value
  if (/^[ -~]*$/.test(value) && choose(2) === 0) return `'${value.replaceAll("'", "''")}'`
  return JSON.stringify(value).replaceAll(
    /[\u0085\u2028\uFEFF]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const keyOf = (name: string, choose: Choose): string =>
  /^[a-z-]{2,}$/.test(name) && !/^(null|on)$/.test(name) && choose(3) > 0 ? name : JSON.stringify(name)

const flow = (value: Json, indent: string, choose: Choose): string => {
  if (!isNested(value)) return flowScalar(value, choose)
  const parts = Array.isArray(value)
    ? value.map((each) => flow(each, `${indent}  `, choose))
    : Object.entries(value).map(([name, each]) => `${keyOf(name, choose)}: ${flow(each, `${indent}  `, choose)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const comma = choose(4) === 0 ? ',' : ''
  const pad = choose(2) === 0 ? ' ' : ''
  if (choose(3) > 0) return `${open}${pad}${parts.join(', ')}${comma}${pad}${close}`
  const lines = parts.map((part, place) => {
    const mark = place < parts.length - 1 ? ',' : comma
    return `${indent}  ${part}${mark}${choose(3) === 0 ? ' # beside' : ''}`
  })
  return `${open}${choose(4) === 0 ? ' # open' : ''}\n${lines.join('\n')}\n${indent}${close}`
}

const literal = (value: Json, indent: string): string | undefined => {
  if (typeof value !== 'string' || !/^[a-z]+(\n[a-z ]*[a-z])*\n?$/.test(value)) return undefined
  const lines = value.replace(/\n$/, '').split('\n')
  return `|${value.endsWith('\n') ? '' : '-'}\n${lines.map((line) => indent + line).join('\n')}`
}

const comment = (indent: string, choose: Choose): string =>
  choose(5) === 0 ? `${indent}# above\n` : choose(8) === 0 ? '\n' : ''

const slot = (value: Json, indent: string, isElement: boolean, choose: Choose): string => {
  const beside = choose(4) === 0 ? ' # beside' : ''
  if (isNested(value) && choose(3) > 0) {
    const compact = isElement && choose(3) > 0
    const inner = isElement
      ? `${indent}  `
      : Array.isArray(value) && choose(2) === 0
        ? indent
        : `${indent}${choose(2) === 0 ? '  ' : '    '}`
    const text = block(value, inner, choose, compact)
    return compact ? ` ${text.slice(inner.length)}` : `${beside}\n${text}`
  }
  const text = choose(2) === 0 ? literal(value, `${indent}  `) : undefined
  if (text !== undefined) return ` ${text}\n`
  if (value === null && choose(2) === 0) return `${beside}\n`
  return `${' '.repeat(1 + choose(2))}${flow(value, indent, choose)}${beside}${choose(9) === 0 ? '  ' : ''}\n`
}

const block = (value: Json[] | { [key: string]: Json }, indent: string, choose: Choose, isCompact: boolean): string => {
  const parts = Array.isArray(value)
    ? value.map((each) => `${indent}-${slot(each, indent, true, choose)}`)
    : Object.entries(value).map(
        ([name, each]) => `${indent}${keyOf(name, choose)}:${slot(each, indent, false, choose)}`,
      )
  return parts.map((part, place) => (place === 0 && isCompact ? part : comment(indent, choose) + part)).join('')
}

/** The text of each member of the root; together they are the document. */
export const writtenMembers = (root: { readonly [key: string]: Json }, choose: Choose): readonly string[] =>
  Object.entries(root).map(([name, value]) => `${comment('', choose)}${name}:${slot(value, '', false, choose)}`)
