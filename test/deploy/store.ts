import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startDynamodbLocal } from './cloud/programs.ts'

/* The tests of everything that is stored, on Amazon's own engine. Arguments go to the test runner. */

const engine = await startDynamodbLocal()
const args = [
  'run',
  '--config',
  '.config/vitest.config.ts',
  'test/engine/state',
  'test/engine/ledger',
  ...process.argv.slice(2),
]
const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: engine.url }
const [code] = await once(spawn('vitest', args, { stdio: 'inherit', env }), 'exit')
await engine.stop()
process.exitCode = code ?? 1
