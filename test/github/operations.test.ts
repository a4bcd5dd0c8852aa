import { expect, test } from 'vitest'
import { operationIds } from './description/routes.ts'
import { performSteps } from './operations/perform.ts'
import { handlers } from './shelves/index.ts'
import { startGitHub } from './start-github.ts'

/* The stand-in checks each request and each answer against the description: a step that is performed passed both. */

test('every operation is performed as the description says', async () => {
  await using github = await startGitHub({ members: ['alice', 'bob'], people: ['carol'] })
  expect(await performSteps(github)).toEqual([])
  expect([github.violations, github.ignored, github.mistakes]).toEqual([[], [], []])
  expect(operationIds.filter((id) => !github.performed.has(id))).toEqual([])
  expect(Object.keys(handlers).filter((id) => !operationIds.includes(id))).toEqual([])
})
