import * as z from 'zod'
import { valueAt } from '../../json/pointer.ts'
import { homeOfKey } from '../../schema/home-of-key.ts'
import type { Diagnostic } from '../../schema/issue.ts'
import { isObject, type Json, type Path } from '../../schema/json.ts'
import { expectedIn } from '../../schema/shape-text.ts'
import { defined } from '../../values/defined.ts'
import { withoutExtensions } from '../../values/extension-keys.ts'
import { suggest } from '../../values/texts/nearest-word.ts'
import { kindOf, oneOf } from '../../values/words.ts'
import { allowed, instead, referencePath, say, shown, suchAs, wholeDocument } from '../shared/words.ts'
import type { Report } from '../syntax/parse-document.ts'

/** Of a plain value, its form. */
const further = (issue: z.core.$ZodRawIssue): string | undefined =>
  expectedIn(issue) ?? (issue.code === 'invalid_type' && issue.inst ? formOf(issue.inst as z.core.$ZodType) : undefined)

/** Values at these paths are not shown: they may be secrets in the wrong place. */
const isPrivate = ([first, ...rest]: Path): boolean =>
  ['variables', 'parameters', 'outputs'].includes(String(first)) ||
  ['spec', 'with', 'forEach', 'routes'].some((key) => rest.includes(key))

/** What the first rule of a text asks for, in its own words: `write an IANA time zone`; else an example of it. */
const formOf = (schema: z.core.$ZodType): string | undefined => {
  const { def } = schema._zod
  if (def.type !== 'string') return undefined
  const said = ((def as z.core.$ZodStringDef).checks ?? []).map(({ _zod }) =>
    (_zod.def.error as ((issue: object) => unknown) | undefined)?.({}),
  )
  const rule = said.find((each): each is string => typeof each === 'string' && each !== allowed.text)
  const [example] = (z.globalRegistry.get(schema)?.['examples'] ?? []) as readonly unknown[]
  return rule ?? (typeof example === 'string' ? suchAs(example) : undefined)
}

const invalid = (issue: z.core.$ZodIssue, value: Json | undefined, path: Path): Diagnostic => {
  const where = path.length === 0 ? wholeDocument : referencePath(path)
  if (issue.code === 'invalid_type') {
    const own = issue.message.startsWith('Invalid') ? undefined : issue.message
    const shape = own !== undefined && /^[[{]/.test(own) ? own : undefined
    const found =
      value === undefined
        ? say('missing', where, issue.expected, shape)
        : say('wrongType', where, issue.expected, kindOf(value), shape)
    return own === shape ? found : { ...found, fix: own?.startsWith('write') ? own : `${found.fix}; ${own}` }
  }
  if (issue.code === 'invalid_value') {
    const words = issue.values.map(String)
    const fix = typeof value === 'string' ? suggest(value, words) : oneOf(words)
    return value === undefined ? say('missingWord', where, fix) : say('invalid', where, fix)
  }
  if (issue.code === 'invalid_key')
    return say('invalidName', String(path.at(-1)), referencePath(path.slice(0, -1)), issue.issues[0]?.message)
  const detail = issue.code === 'custom' ? issue.params?.['detail'] : undefined
  return say('invalid', where, issue.message, typeof detail === 'string' ? detail : undefined)
}

/** `parseShape` of what a whole file contains, without the keys that begin with `x-`. */
export const parseFile = <Shape extends z.ZodType>(
  shape: Shape,
  file: Json,
  report: Report,
): z.output<Shape> | undefined => parseShape(shape, withoutExtensions(file), report)

/** Returns the value if its shape is valid. Otherwise reports its problems, the first one of each value. */
export const parseShape = <Shape extends z.ZodType>(
  shape: Shape,
  value: Json,
  report: Report,
): z.output<Shape> | undefined => {
  const parsed = shape.safeParse(value, { error: further })
  if (parsed.success) return parsed.data
  const seen = new Set<string>()
  for (const issue of parsed.error.issues) {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
    const where = referencePath(path)
    if (issue.code === 'unrecognized_keys') {
      const found = valueAt(value, path)
      const fix = (key: string): string => {
        const home = homeOfKey(shape, { path, key, around: isObject(found) ? found : {} })
        const other = home === undefined ? instead.remove : instead.move(referencePath(home))
        return suggest(key, issue.message.split(' '), other)
      }
      for (const key of issue.keys) report([...path, key], say('unknownKey', key, where, fix(key)), 'key')
    } else if (!seen.has(where)) {
      seen.add(where)
      const written = valueAt(value, path)
      const isShown = written !== undefined && issue.code !== 'invalid_key' && !isPrivate(path)
      const found = { ...invalid(issue, written, path), ...defined({ value: isShown ? shown(written) : undefined }) }
      report(path, found, issue.code === 'invalid_key' ? 'key' : 'value')
    }
  }
  return undefined
}
