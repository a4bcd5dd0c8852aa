import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ForeignModule } from '../../../core/engine/config/modules/foreign.ts'
import { valueAt } from '../../../core/engine/json/pointer.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../../core/engine/schema/json.ts'
import { mapMembers } from '../../../core/engine/values/members.ts'
import { otterdog } from '../../../core/sources/otterdog/index.ts'
import { lawRuns } from '../../builders/laws.ts'

/* What holds for every organisation file. The files of the public forms are where the generated ones start. */

const fixtures = join(import.meta.dirname, '../../fixtures/otterdog')
const forms = readdirSync(fixtures).filter((form) => form !== 'old')
const formOf = (form: string): JsonObject => JSON.parse(readFileSync(join(fixtures, form, 'acme.json'), 'utf8'))

const read = (value: Json): ForeignModule => {
  const problems: string[] = []
  const report = (path: Path, { message }: { message: string }): undefined => {
    problems.push(`${path.join('.')}: ${message}`)
  }
  const call = otterdog.call({ file: 'acme.json' }, report)
  const found = call?.read(value, report, () => [])
  expect(problems).toEqual([])
  if (found === undefined) throw new TypeError('not read')
  return found
}

const addressesOf = ({ resources }: ForeignModule) =>
  resources.map(({ type, name, key }) => `${type}.${name}${key === undefined ? '' : `[${JSON.stringify(key)}]`}`)

/** By address, without the order and the places. */
const meaningOf = (module: ForeignModule) =>
  Object.fromEntries(
    module.resources.map(({ spec, dependsOn }, index) => [
      addressesOf(module)[index],
      { spec: sorted(spec), dependsOn },
    ]),
  )

/** Order of lists means nothing, except where a list is a text's parts. */
const sorted = (value: Json): Json => {
  if (isArray(value))
    return value.map(sorted).toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))
  return isObject(value) ? Object.fromEntries(Object.entries(mapMembers(value, sorted)).toSorted()) : value
}

/** The same value with the members of objects and the elements of lists in another order. */
const shuffled = (value: Json, order: (count: number) => readonly number[]): Json => {
  if (isArray(value)) return order(value.length).map((index) => shuffled(value[index] ?? null, order))
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    order(entries.length).map((index) => {
      const [name = '', inner = null] = entries[index] ?? []
      return [name, shuffled(inner, order)]
    }),
  )
}

/** A permutation by a seed: the keys of a sort are the digits of a simple congruence. */
const orderBy = (seed: number) => (count: number) =>
  Array.from({ length: count }, (_, index) => index).toSorted(
    (left, right) => (((left + 1) * seed * 7919) % 104_729) - (((right + 1) * seed * 7919) % 104_729),
  )

describe.each(forms)('the organisation file of the form "%s"', (form) => {
  const written = formOf(form)

  it('has one address for each resource', () => {
    const all = addressesOf(read(written))
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(3)
  })

  it('has the same resources in any order of lists and keys', () => {
    const meaning = meaningOf(read(written))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (seed) => {
        expect(meaningOf(read(shuffled(written, orderBy(seed))))).toEqual(meaning)
      }),
      lawRuns(20),
    )
  })

  it('has each place at a written value', () => {
    for (const { path, origins } of read(written).resources)
      for (const origin of [path, ...Object.values(origins)]) expect(valueAt(written, origin)).toBeDefined()
  })

  it('has null for an attribute exactly where the file has it', () => {
    for (const { spec, origins } of read(written).resources)
      for (const [name, value] of Object.entries(spec))
        if (value === null) expect(valueAt(written, origins[name] ?? [])).toBeNull()
  })

  it('has no attribute for a field that is not written', () => {
    const all = fieldsOf(written)
    fc.assert(
      fc.property(fc.constantFrom(...all), (path) => {
        const rest = without(written, path)
        const place = JSON.stringify(path)
        for (const { origins } of readable(rest)?.resources ?? [])
          expect(Object.values(origins).map((origin) => JSON.stringify(origin))).not.toContain(place)
      }),
      lawRuns(100),
    )
  })
})

/** The paths of all scalar fields. */
const fieldsOf = (value: Json, path: Path = []): readonly Path[] => {
  if (isArray(value)) return value.flatMap((each, index) => fieldsOf(each, [...path, index]))
  if (isObject(value)) return Object.entries(value).flatMap(([name, each]) => fieldsOf(each, [...path, name]))
  return typeof path.at(-1) === 'string' ? [path] : []
}

const without = (value: Json, [step, ...rest]: Path): Json => {
  if (step === undefined) return value
  if (isArray(value)) return value.map((each, index) => (index === step ? without(each, rest) : each))
  if (!isObject(value)) return value
  return mapMembers(value, (each, name) => (name !== step ? each : rest.length === 0 ? undefined : without(each, rest)))
}

/** `undefined` if the field was a required one. */
const readable = (value: Json): ForeignModule | undefined => {
  const report = () => undefined
  return otterdog.call({ file: 'acme.json' }, report)?.read(value, report, () => [])
}
