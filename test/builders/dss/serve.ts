import { isArray } from '../../../core/engine/schema/json.ts'
import type { Answered, Asked } from '../servers/json-routes.ts'
import { dssKey, startDss } from './dss-server.ts'

/* `npm run dss`: the stand-in of Dataiku DSS at the address of examples/dataiku, for somebody who tries the example. */

const port = 11_200

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Reads are many, and say nothing new. */
const sayWrite = ({ method, path }: Asked, { status }: Answered): void => {
  if (method !== 'GET') say(`${method} ${path} ${status}`)
}

const dss = await startDss({ port, answered: sayWrite })
const { guard } = dss.behaviour
dss.behaviour.guard = (asked) => {
  if (asked.path !== '/stand-in/refused') return guard?.(asked)
  if (!isArray(asked.body)) return { status: 400, body: { message: 'send a list of paths' } }
  dss.refused.clear()
  for (const path of asked.body) dss.refused.add(String(path))
  return { status: 200, body: [...dss.refused] }
}
say(`a stand-in of Dataiku DSS at ${dss.url}, without any project; its API key is ${dssKey}`)
say('every write is printed here; end it with Ctrl-C')
