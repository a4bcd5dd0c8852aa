/* What a shell of a test calls for the command: it asks the process of the test, and ends as the command ended there. */

import { request } from 'node:http'
import { json } from 'node:stream/consumers'

const [address, ...args] = process.argv.slice(2)
const asked = request(address, { method: 'POST' }, async (response) => {
  const { code, stdout, stderr } = await json(response)
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  process.exitCode = code
})
asked.end(JSON.stringify({ args, folder: process.cwd(), variables: process.env }))
