import { exampleRequests } from './example.ts'
import { type GitHubOptions, startGitHub } from './start-github.ts'

/** The stand-in with the example organisation, the time of the day and the limits of GitHub; two owners have a token. */
export const startExample = async (options: Pick<GitHubOptions, 'port' | 'answered'> = {}) => {
  const github = await startGitHub({
    members: ['alice', 'bob'],
    clock: { now: () => Date.now(), advance: () => {} },
    limits: 'github',
    ...options,
  })
  for (const [method, path, body] of exampleRequests) github.as('octo-owner').request(method, path, body)
  return { github, tokens: { owner: github.token(), alice: github.token({ login: 'alice' }) } }
}
