import { expect, test } from 'vitest'
import { exampleRequests } from './example.ts'
import { startGitHub } from './start-github.ts'

test('the example organisation is made by requests that GitHub would take', async () => {
  await using github = await startGitHub({ members: ['alice', 'bob'] })
  for (const [method, path, body] of exampleRequests) github.as('octo-owner').request(method, path, body)
  expect([...github.world.repositories.values()].map(({ name }) => name)).toEqual([
    'website',
    'billing',
    'archive-2019',
  ])
  expect([github.violations, github.ignored]).toEqual([[], []])
})
