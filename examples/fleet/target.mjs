// A stand-in of the target: records by name, in memory. It prints its address, and each write.

import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

const records = new Map()

const server = createServer(async (request, response) => {
  const name = request.url.split('/').at(-1)
  if (request.method === 'PUT') records.set(name, { ttl: 3600, ...(await json(request)), name })
  if (request.method === 'DELETE') records.delete(name)
  if (request.method !== 'GET') process.stderr.write(`    the target got ${request.method} ${request.url}\n`)
  const found = records.get(name)
  response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(found ?? {}))
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`)
})
