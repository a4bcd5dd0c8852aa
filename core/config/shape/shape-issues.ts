import type * as z from 'zod'
import { valueAt } from '../../json/pointer.ts'
import type { Issue } from '../../schema/issue.ts'
import type { Json, Path } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import { suggest } from '../../values/nearest-word.ts'
import type { ParsedDocument } from '../syntax/parse-document.ts'
import { kindOf, pathText, shown } from '../value-text.ts'
import type { WrittenConfiguration } from './shape.ts'
import { configurationShape } from './shape.ts'

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
}

/** Keys that the shape has at a path; list indexes and free keys stand for any. */
const keysAt = (path: Path): readonly string[] => {
  let shape: z.ZodType | undefined = configurationShape
  for (const step of path) shape = inner(shape, step)
  shape = unwrapped(shape)
  return shape !== undefined && 'shape' in shape ? Object.keys(shape.shape as object) : []
}

const unwrapped = (shape: z.ZodType | undefined): z.ZodType | undefined =>
  shape !== undefined && 'unwrap' in shape && !('element' in shape)
    ? (shape as z.ZodExactOptional<z.ZodType>).unwrap()
    : shape

const inner = (optional: z.ZodType | undefined, step: string | number): z.ZodType | undefined => {
  const shape = unwrapped(optional)
  if (shape === undefined) return undefined
  if ('shape' in shape) return (shape.shape as Readonly<Record<string, z.ZodType>>)[String(step)]
  if ('element' in shape) return shape.element as z.ZodType
  return 'valueType' in shape ? (shape.valueType as z.ZodType) : undefined
}

const unknownKeys = (keys: readonly string[], path: Path, document: ParsedDocument): Issue[] =>
  keys.map((key) => ({
    ...document.locate([...path, key], 'key'),
    message: `unknown key "${key}"${path.length === 0 ? '' : ` in ${pathText(path)}`}`,
    fix: suggest(key, keysAt(path), 'remove it'),
  }))

/** What stands there may be a secret that somebody wrote in the wrong place. */
const isPrivate = (path: Path): boolean => path[0] === 'variables' || path.includes('spec') || path.includes('with')

const invalid = (
  issue: z.core.$ZodIssue,
  value: Json | undefined,
  path: Path,
): Omit<Issue, 'file' | 'line' | 'column'> => {
  const where = path.length === 0 ? 'the configuration' : pathText(path)
  if (issue.code === 'invalid_type') {
    const wanted = kinds[issue.expected] ?? issue.expected
    if (value === undefined) return { message: `${where} is missing`, fix: `write ${wanted}` }
    return { message: `${where} must be ${wanted}, not ${kindOf(value)}`, value: shown(value), fix: `write ${wanted}` }
  }
  if (issue.code === 'invalid_value') {
    const fix =
      typeof value === 'string' ? suggest(value, issue.values.map(String)) : `use one of: ${issue.values.join(', ')}`
    return value === undefined
      ? { message: `${where} is missing`, fix }
      : { message: `${where} is not valid`, value: shown(value), fix }
  }
  if (issue.code === 'invalid_key') {
    const key = String(path.at(-1))
    return {
      message: `the name "${key}" is not valid in ${pathText(path.slice(0, -1))}`,
      fix: issue.issues[0]?.message ?? 'use another name',
    }
  }
  const detail = issue.code === 'custom' ? issue.params?.['detail'] : undefined
  return {
    message: typeof detail === 'string' ? `${where}: ${detail}` : `${where} is not valid`,
    value: shown(value),
    fix: issue.message,
  }
}

export interface ShapeResult {
  /** Present when there are no issues. */
  readonly written?: WrittenConfiguration
  readonly issues: readonly Issue[]
}

/** The written shape, or every departure from it: each at its place, the first one of each value. */
export const parseShape = (value: Json, document: ParsedDocument): ShapeResult => {
  const parsed = configurationShape.safeParse(value)
  if (parsed.success) return { written: parsed.data, issues: [] }
  const told = new Set<string>()
  const issues = parsed.error.issues.flatMap((issue) => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
    if (issue.code === 'unrecognized_keys') return unknownKeys(issue.keys, path, document)
    const where = pathText(path)
    if (told.has(where)) return []
    told.add(where)
    const position = issue.code === 'invalid_key' ? document.locate(path, 'key') : document.locate(path)
    const { value: written, ...found } = invalid(issue, valueAt(value, path), path)
    return [
      { ...position, ...found, ...defined({ value: written === undefined || isPrivate(path) ? undefined : written }) },
    ]
  })
  return { issues }
}
