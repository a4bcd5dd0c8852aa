import { Document, isMap, isScalar, Scalar, visit } from 'yaml'
import { mapValue, pathText } from '../json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject } from '../schema/json.ts'
import type { ImportedResource, LeftOutValue } from '../schema/reports/import-report.ts'
import { isLiteral, isMark } from '../schema/value.ts'
import { defined } from '../values/defined.ts'
import { isLargeNumber } from '../values/large-integer.ts'
import { oneLine } from '../values/texts/shorten.ts'
import { isSecretForm, readSecret } from './expressions/template.ts'
import { leftOut } from './shared/words.ts'

/** `undefined` if no text gives the value. */
export const writtenForm = (value: Json): Json | undefined => {
  if (isLiteral(value)) return plainForm(value.$literal)
  if (isLargeNumber(value)) return value
  if (isMark(value)) return undefined
  return formOf(value, writtenForm)
}

/** For JSON of the target, in which nothing is a mark. */
const plainForm = (value: Json): Json | undefined => (isLargeNumber(value) ? undefined : formOf(value, plainForm))

const formOf = (value: Json, inner: (value: Json) => Json | undefined): Json | undefined => {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${')
  if (isArray(value)) return wholeList(value.map(inner))
  if (!isObject(value)) return value
  if (isSecretForm(value) && readSecret(value.secret) !== 'plain') return undefined
  const members: [string, Json][] = []
  for (const [key, child] of Object.entries(value)) {
    const form = canBeKey(key) ? inner(child) : undefined
    if (form === undefined) return undefined
    members.push([key, form])
  }
  return Object.fromEntries(members)
}

/** Loading reads `${` as a reference, and refuses `__proto__`, which would set the prototype of an object. */
export const canBeKey = (key: string): boolean => !key.includes('${') && key !== '__proto__'

const wholeList = (forms: readonly (Json | undefined)[]): Json | undefined =>
  forms.every((form) => form !== undefined) ? forms : undefined

const secretSource = ({ type, name }: Pick<ImportedResource, 'type' | 'name'>, path: LeftOutValue['path']) =>
  `env:${[type, name, ...path]
    .join('_')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()}`

export const writeResources = (resources: readonly ImportedResource[]): string => {
  const imports = resources.flatMap(({ address, takenOver }) => (takenOver ? [{ to: address, id: takenOver }] : []))
  const whole = { resources: resources.map(entryOf), ...(imports.length > 0 && { import: imports.map(digits) }) }
  const document = new Document(whole, { aliasDuplicateObjects: false })
  for (const [index, resource] of resources.entries()) {
    const spec = document.getIn(['resources', index, 'spec'], true)
    const lines = resource.leftOut.map((left) => ` ${oneLine(noteOn(resource, left))}`)
    if (isMap(spec) && lines.length > 0) spec.comment = lines.join('\n')
  }
  // Without quotes `<<` merges mappings. The library quotes all other texts that would not be read as text.
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '<<') key.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: true })
}

const entryOf = ({ type, name, provider, spec }: ImportedResource): JsonObject => ({
  type,
  name,
  ...defined({ provider }),
  spec: digits(spec),
})

const digits = (value: JsonObject): Json => mapValue(value, withDigits)

/** As a mapping it would mean the same; digits are what people write. */
const withDigits = (value: Json): Json | undefined =>
  isLargeNumber(value) ? (BigInt(value.$number) as unknown as Json) : undefined

const noteOn = (resource: ImportedResource, { path, why, required }: LeftOutValue): string => {
  const where = pathText(path)
  return why === 'secret'
    ? leftOut.secret(where, secretSource(resource, path), required)
    : leftOut[why](where, required)
}
