import { afterAll, describe, expect, it } from 'vitest'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { githubTypes } from '../../builders/generated/github-reference.ts'
import { isLawRun, lawCases } from '../../builders/laws.ts'
import { driveGitHub } from './drive.ts'
import { type Subject, subjects } from './subjects.ts'

/*
 * Every type goes the same way: it is created, and the next plan is empty; then each attribute is changed outside, by the type's own
 * requests, which gives a plan with that attribute alone; an apply brings it back, and the next plan is empty.
 */

const types = new Map(githubTypes().map((type) => [type.name, type]))

/** Attributes that a resource can declare and that differ from one value to another. */
const changeable = (schema: Readonly<Record<string, Attribute>>): readonly string[] =>
  Object.keys(schema).filter((name) => {
    const { identity, computed, immutable } = schema[name] ?? {}
    return identity !== true && computed !== true && immutable !== true
  })

const covered: string[] = []

/** The declared value of an attribute, and the one that somebody else gives it. */
const valuesOf = ({ values }: Subject, name: string): readonly [Json, Json] => {
  const pair = values[name]
  if (pair === undefined) throw new Error(`subjects.ts has no two values for ${name}`)
  return pair
}

describe.each(lawCases(Object.keys(subjects), 4))('the type %s', (name) => {
  const subject = subjects[name] as Subject
  const type = types.get(name)
  const attributes = changeable(type?.schema.attributes ?? {}).filter((each) => subject.except?.[each] === undefined)

  it('is created, and is deleted when it is declared no more', async () => {
    const resource = { type: name, name: 'subject', spec: subject.spec }
    const around = subject.around ?? []
    await using drive = await driveGitHub([...around, resource], { members: ['mona', 'hubot'] })
    await subject.prepare?.(drive.github)
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    drive.want(around)
    const { plan } = await drive.settle()
    const isKept = type?.lifecycle?.preventDelete === true
    expect(plan.changes.map(({ address, action }) => [address, action])).toEqual(
      isKept ? [] : [[`${name}.subject`, 'delete']],
    )
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(drive.github.violations).toEqual([])
  })

  it.each(lawCases(attributes))('has its attribute %s restored', async (attribute) => {
    const [declared, other] = valuesOf(subject, attribute)
    const spec: JsonObject = { ...subject.spec, ...subject.with?.[attribute], [attribute]: declared }
    const resource = { type: name, name: 'subject', spec }
    await using drive = await driveGitHub([...(subject.around ?? []), resource], { members: ['mona', 'hubot'] })
    await subject.prepare?.(drive.github)
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    // Somebody else has Plumbline too, and declares another value.
    await using outside = await driveGitHub(
      [
        ...(subject.around ?? []),
        { ...resource, spec: { ...spec, ...subject.otherWith?.[attribute], [attribute]: other } },
      ],
      {
        github: drive.github,
      },
    )
    await outside.settle()
    const { plan } = await drive.check()
    expect(
      plan.changes.map(({ address, causes }) => [address, [...new Set(causes.map(({ path }) => path[0]))].toSorted()]),
    ).toEqual([[`${name}.subject`, [attribute, ...Object.keys(subject.otherWith?.[attribute] ?? {})].toSorted()]])
    await drive.settle()
    expect((await drive.check()).plan).toMatchObject({ inSync: true, commands: [] })
    expect(drive.github.violations).toEqual([])
    expect(drive.github.ignored).toEqual([])
    covered.push(`${name}.${attribute}`)
  })
})

it('every type and every attribute is covered', () => {
  const missing = [...types.values()].flatMap(({ name, schema }) =>
    changeable(schema.attributes)
      .filter(
        (attribute) =>
          subjects[name]?.values[attribute] === undefined && subjects[name]?.except?.[attribute] === undefined,
      )
      .map((attribute) => `${name}.${attribute}`),
  )
  expect(missing).toEqual([])
})

afterAll(() => {
  if (!isLawRun) return
  const rows = [...types.values()].map(({ name, schema }) => {
    const all = changeable(schema.attributes)
    const done = all.filter((attribute) => covered.includes(`${name}.${attribute}`))
    return `${name}: ${done.length} of ${all.length}`
  })
  process.stdout.write(`${rows.join('\n')}\n`)
})
