import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { waldurToken } from '../../builders/waldur/waldur-rights.ts'
import { startWaldur } from '../../builders/waldur/waldur-server.ts'
import { driveExample } from '../../builders/workspaces/example-workspace.ts'

/** The stand-in of Waldur with two customers and a project `Test` of the first; `await using` ends it. */
export const aWaldurProject = async (spec: JsonObject, live: JsonObject = {}) => {
  const waldur = await startWaldur()
  const acme = waldur.add('customers', { name: 'ACME' })
  waldur.add('customers', { name: 'Other' })
  const members = { name: 'Test', customer: acme['url'] ?? '', customer_uuid: acme['uuid'] ?? '' }
  const empty = { description: '', end_date: null, kind: 'default', is_removed: false }
  waldur.add('projects', { ...members, ...empty, ...live })
  const declared = (more: JsonObject) => ({
    type: 'waldur_project',
    name: 'p',
    spec: { name: 'Test', customer: 'ACME', ...more },
  })
  const drive = driveExample(
    {
      example: 'waldur',
      with: { site: waldur.url, token: { secret: 'env:TOKEN' } },
      secrets: { 'env:TOKEN': waldurToken },
      base: `${waldur.url}/api`,
    },
    [declared(spec)],
  )
  return { ...drive, waldur, declared, [Symbol.asyncDispose]: () => waldur[Symbol.asyncDispose]() }
}
