import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentOperations } from '../builders/waldur/document-operations.ts'
import { everyType } from '../builders/waldur/every-type.ts'
import { byIds, outside } from '../builders/waldur/outside.ts'
import { openWaldurSite, type WaldurSite } from '../builders/waldur/waldur-site.ts'
import { installPython } from './servers/python.ts'

/*
 * The simulated Waldur, judged by the published client of Waldur: every request of the example goes through the client's own
 * function for it, with its model of the body, and each answer is read by its model. The client is generated from the API
 * description of Waldur.
 */

const folder = join(import.meta.dirname, 'waldur-client')

interface Judged {
  readonly operation: string
  readonly faults: readonly string[]
}

let site: WaldurSite
let referee: ChildProcessByStdio<Writable, Readable, null>
let lines: Interface
let url = ''
const judged: Judged[] = []

beforeAll(async () => {
  const interpreter = await installPython('waldur-client', join(folder, 'requirements.txt'))
  site = await openWaldurSite()
  referee = spawn(interpreter, [join(folder, 'referee.py'), site.url], { stdio: ['pipe', 'pipe', 'inherit'] })
  lines = createInterface(referee.stdout)
  ;[url] = (await once(lines, 'line')) as [string]
  lines.on('line', (line) => judged.push(JSON.parse(line) as Judged))
}, 600_000)

afterAll(async () => {
  referee?.stdin.end()
  if (referee !== undefined) await once(referee, 'exit')
  await site?.[Symbol.asyncDispose]()
})

describe("Waldur's published client", () => {
  const drives = new Map<string, ReturnType<WaldurSite['drive']>>()

  it.each(everyType)('carries what the example asks of a $type: create, repair, read by ids', async (each) => {
    const resource = { type: each.type, name: 'it', spec: each.spec }
    const drive = site.drive([resource], undefined, {}, { site: url })
    drives.set(each.type, drive)
    const apply = async () => {
      const { status, outcomes } = await drive.apply((await drive.check()).digest)
      expect({ status, outcomes }).toMatchObject({ status: 'succeeded' })
    }
    await apply()
    for (const { by } of each.drifts) {
      outside(each, by, site)
      await apply()
      expect((await drive.check()).run.status).toBe('in_sync')
    }
    drive.want([{ ...resource, spec: byIds(each.spec, site) }])
    expect((await drive.check()).run.status).toBe('in_sync')
  })

  it('carries the search for an address', async () => {
    const { address = '' } = site.one('openstack-floating-ips', {})
    const wanted = { type: 'waldur_floating_ip', name: 'it', spec: { tenant: 'cloud', address } }
    expect((await site.drive([wanted], undefined, {}, { site: url }).check()).run.status).toBe('in_sync')
  })

  it.each(everyType.toReversed())('carries the end of a $type', async ({ type, spec }) => {
    const drive = drives.get(type)
    drive?.want([{ type, name: 'it', spec, absent: true }])
    const checked = await drive?.check()
    expect(checked?.plan.changes).toMatchObject([{ action: 'delete' }])
    expect(await drive?.apply(checked?.digest ?? '')).toMatchObject({ status: 'succeeded' })
  })

  it('was asked every operation of the document, and none besides', () => {
    expect([...new Set(judged.map(({ operation }) => operation))].toSorted()).toEqual(documentOperations())
  })

  it('knows what is sent and what is answered, to the last member', () => {
    const faults = judged.flatMap((each) =>
      each.faults.map((fault) => `${each.operation}: ${fault.replace(/(?<=ValueError).*/, '')}`),
    )
    // The description calls the permissions of a role an object, and has a list of them in the answer.
    expect([...new Set(faults)].toSorted()).toEqual([
      "POST /api/roles/: the client's model of the body refuses it: ValueError",
      "PUT /api/roles/{uuid}/: the client's model of the body refuses it: ValueError",
    ])
  })
})
