import { expect, test } from 'vitest'
import type { Json } from '../../core/schema/json.ts'
import { asking } from './asking.ts'
import { collaborationSteps } from './operations/collaboration.ts'
import { repositorySteps } from './operations/repository.ts'
import type { Step } from './operations/step.ts'
import { farewellSteps, teamSteps } from './operations/teams.ts'
import { handlers } from './shelves/index.ts'
import { startGitHub } from './start-github.ts'

/*
 * Every operation of the description once, in order, against one organisation. The stand-in checks each request and each answer
 * against the description: a step that is here passed both.
 */

const steps: readonly Step[] = [...teamSteps, ...repositorySteps, ...collaborationSteps, ...farewellSteps]

const filled = (value: Json, known: Readonly<Record<string, number>>): Json =>
  JSON.parse(JSON.stringify(value).replaceAll(/"\{(\w+)\}"/g, (_, name: string) => String(known[name]))) as Json

test('every operation is performed as the description says', async () => {
  await using github = await startGitHub({ members: ['alice', 'bob'], people: ['carol'] })
  const ask = asking(github, github.token())
  const known: Record<string, number> = {}
  const wrong: string[] = []
  for (const { ask: line, body, status = 200, keep, shows } of steps) {
    const [method = '', path = ''] = line.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(known[name])).split(' ')
    const answer = await ask(method, path, body && filled(body, known))
    if (keep !== undefined) known[keep] = answer.body?.id
    if (answer.status !== status) wrong.push(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    else if (shows !== undefined) expect(answer.body, line).toMatchObject(filled(shows, known) as object)
  }
  expect(wrong).toEqual([])
  expect([github.violations, github.ignored]).toEqual([[], []])
  const missing = Object.keys(handlers).filter((id) => !github.performed.has(id))
  expect(missing).toEqual([])
})
