import { describe, expect, it } from 'vitest'
import { lawCases } from '../../builders/laws.ts'
import { driveGitHub } from './drive.ts'
import { subjects } from './subjects.ts'

/* Whatever GitHub, or a proxy before it, answers to one of the reads of a type: nothing is concluded from an answer that is none. */

const page = '<!doctype html><title>Sign in</title>'
const hostile: readonly (readonly [what: string, status: number, type: string, body: string])[] = [
  ['a page of a proxy', 200, 'text/html', page],
  ['a page that says it is JSON', 200, 'application/json', page],
  ['nothing', 200, 'application/json', ''],
  ['null', 200, 'application/json', 'null'],
  ['a text', 200, 'application/json', '"ok"'],
  ['half an answer', 200, 'application/json', '{"id": 1, "name": "we'],
  ['a failure', 502, 'text/html', page],
  ['a page that is not there', 404, 'text/html', page],
]

const open = async (type: string) => {
  const subject = subjects[type]
  const around = subject?.around ?? []
  const drive = await driveGitHub([...around, { type, name: 'subject', spec: subject?.spec ?? {} }], {
    members: ['mona', 'hubot'],
    checkAnswers: false,
  })
  await subject?.prepare?.(drive.github)
  await drive.settle()
  drive.github.forget()
  expect((await drive.check()).plan).toMatchObject({ inSync: true })
  return drive
}

describe.each(lawCases(Object.keys(subjects), 3))('the type %s', (type) => {
  it('plans nothing from an invalid answer to any of its reads', async () => {
    await using drive = await open(type)
    const read = [...new Set(drive.github.requests.map(({ path }) => path.replace(/\?.*/, '')))]
    const wrong: string[] = []
    // Of what nobody declares, nothing is told.
    const told = new Set<string>()
    for (const path of read)
      for (const [what, status, media, body] of hostile) {
        drive.github.faults.add({
          kind: 'status',
          status,
          headers: { 'content-type': media },
          body,
          when: (asked) => asked.path.replace(/\?.*/, '') === path,
        })
        const { plan } = await drive.check()
        drive.github.faults.clear()
        const { length: concluded } = [...plan.changes, ...plan.commands, ...plan.drift]
        if (concluded > 0) wrong.push(`${what} at ${path}: ${JSON.stringify(plan.changes)}`)
        if (plan.unchecked.length > 0) told.add(what)
      }
    expect(wrong).toEqual([])
    expect([...told].toSorted()).toEqual(hostile.map(([what]) => what).toSorted())
    expect((await drive.check()).plan).toMatchObject({ inSync: true })
  })

  it('plans nothing where GitHub answers 404 to everything', async () => {
    await using drive = await open(type)
    drive.github.faults.add({
      kind: 'status',
      status: 404,
      headers: { 'content-type': 'application/json' },
      body: '{"message":"Not Found"}',
      when: () => true,
    })
    const { plan } = await drive.check()
    expect(plan).toMatchObject({ inSync: false, commands: [] })
    expect(plan.unchecked.length).toBeGreaterThan(0)
  })
})
