import { describe, expect, it } from 'vitest'
import { lawCases } from '../../builders/laws.ts'
import { driveGitHub } from './drive.ts'
import { subjects } from './subjects.ts'

/* The connection ends after a write was performed, and nobody knows whether it was: it is found out, and nothing is made twice. */

const isWrite = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  !['GET', 'HEAD'].includes(method) && !path.endsWith('/graphql')

const open = async (type: string) => {
  const subject = subjects[type]
  const resources = [...(subject?.around ?? []), { type, name: 'subject', spec: subject?.spec ?? {} }]
  const drive = await driveGitHub(resources, { members: ['mona', 'hubot'], checkAnswers: false })
  await subject?.prepare?.(drive.github)
  drive.github.forget()
  return { drive, around: subject?.around ?? [] }
}

type Opened = Awaited<ReturnType<typeof open>>

/** Checks and applies until there is nothing to do. */
const toTheEnd = async ({ drive }: Opened): Promise<boolean> => {
  for (let turn = 0; turn < 4; turn += 1) {
    const { plan, digest } = await drive.check()
    if (plan.inSync) return true
    if (plan.commands.length > 0) await drive.apply(digest)
  }
  return false
}

/** The writes of a create and of the delete after it. */
const writesOf = async (opened: Opened): Promise<readonly string[]> => {
  const { drive, around } = opened
  const isMade = await toTheEnd(opened)
  drive.want(around)
  const isGone = await toTheEnd(opened)
  expect([isMade, isGone]).toEqual([true, true])
  return drive.github.requests.filter(isWrite).map(({ method, path }) => `${method} ${path}`)
}

describe.each(lawCases(Object.keys(subjects), 3))('the type %s', (type) => {
  it('writes nothing twice where the answer to a write is lost', async () => {
    const clean = await open(type)
    const writes = await writesOf(clean)
    await clean.drive.github.close()
    for (const lost of writes.keys()) {
      const opened = await open(type)
      let count = -1
      opened.drive.github.faults.add({
        kind: 'drop-after',
        when: (asked) => {
          if (!isWrite(asked)) return false
          count += 1
          return count === lost
        },
      })
      const made = await writesOf(opened)
      // Whether a value arrived that nobody can read is not to be found out: it is written again.
      const again = writes.filter(
        (each, index) => index === lost && each.startsWith('PUT ') && each.includes('/secrets/'),
      )
      expect({ lost: writes[lost], made: made.toSorted() }).toEqual({
        lost: writes[lost],
        made: [...writes, ...again].toSorted(),
      })
      await opened.drive.github.close()
    }
  })
})
