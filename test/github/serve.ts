import { exampleRequests } from './example.ts'
import { startGitHub } from './start-github.ts'

/* `npm run github-stand-in`: the stand-in of GitHub with an example organisation, for somebody who tries the provider. */

const port = 11_300

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const github = await startGitHub({
  port,
  members: ['alice', 'bob'],
  clock: { now: () => Date.now(), advance: () => {} },
  limits: 'github',
  /** Reads are many, and say nothing new. */
  answered: ({ method, path, status }) => {
    if (method !== 'GET') say(`${method} ${path} ${status}`)
  },
})
for (const [method, path, body] of exampleRequests) github.as('octo-owner').request(method, path, body)

const { organizations, repositories } = github.world
say(`a stand-in of GitHub at ${github.url}; a token of its owner octo-owner is ${github.token()}`)
for (const { login, members, teams } of organizations.values()) {
  say(
    `organisation ${login}: members ${[...members.keys()].join(', ')}; teams ${[...teams.values()].map(({ slug }) => slug).join(', ')}`,
  )
  say(`repositories: ${[...repositories.values()].map(({ name }) => name).join(', ')}`)
}
say('every write is printed here; end it with Ctrl-C')
