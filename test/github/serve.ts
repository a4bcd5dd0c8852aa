import { parseArgs } from 'node:util'
import { startExample } from './start-example.ts'

/* `npm run github-stand-in`: the stand-in of GitHub with an example organisation, for somebody who tries the provider. */

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const { values } = parseArgs({
  options: { port: { type: 'string', default: '11300' }, help: { type: 'boolean' } },
})
const port = Number(values.port)
if (values.help || !Number.isInteger(port)) {
  say('npm run github-stand-in -- [--port 11300]')
  process.exit(values.help ? 0 : 1)
}

const { github, tokens } = await startExample({
  port,
  /** Reads are many, and say nothing new. */
  answered: ({ method, path, status, login }) => {
    if (method !== 'GET') say(`${method} ${path} ${status} ${login}`)
  },
})

const { organizations, repositories } = github.world
say(`a stand-in of GitHub at ${github.url}`)
say(`a token of octo-owner, for Plumbline: ${tokens.owner}`)
say(`a token of alice, to change something as somebody else: ${tokens.alice}`)
for (const { login, members, teams } of organizations.values()) {
  say(
    `organisation ${login}: members ${[...members.keys()].join(', ')}; teams ${[...teams.values()].map(({ slug }) => slug).join(', ')}`,
  )
  say(`repositories: ${[...repositories.values()].map(({ name }) => name).join(', ')}`)
}
say('every write is printed here; end it with Ctrl-C')
