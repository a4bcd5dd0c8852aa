import { gzipSync } from 'node:zlib'
import { loadProviders } from '#core'
import { systemClock } from '../../functions/adapters/clock.ts'
import { testApi, testDeps } from '../builders/aws/api.ts'
import { stores } from '../builders/time/stores.ts'

/** Each resource has the length of an ordinary record: about 110 bytes. */
const largeConfiguration = (resources: number, more = ''): string => {
  const rows = Array.from(
    { length: resources },
    (_, n) =>
      `  - { type: host_file, name: f${n}, spec: { path: sites/${n % 97}/f${n}.conf, content: "listen ${(n * 7919) % 65_536} on 192.0.2.${n % 256}\\n" } }\n`,
  )
  return `workspace: large\nproviders:\n  files: { source: host, with: { root: /srv/bench } }\nresources:\n${rows.join('')}${more}`
}

const one = '  - { type: host_file, name: one, spec: { path: one, content: more } }\n'
const path = '/v1/workspaces/large'

/** Pushes a configuration twice through the whole API, and reads it back. */
const pushTo = async (resources: number, create: (typeof stores)[number][1], write: (line: string) => void) => {
  const { store, stop } = await create(systemClock)
  const { deps } = testDeps({ providers: loadProviders }, store)
  const call = testApi(deps)
  const timed = async (what: string, ...[method, address, parts]: Parameters<typeof call>) => {
    const start = process.cpuUsage()
    const headers = { 'accept-encoding': 'gzip', ...parts?.headers }
    const answer = await call(method, address, { ...parts, headers, remainingMs: 600_000 })
    if (answer.status !== 200) throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`)
    const peak = Math.round(process.resourceUsage().maxRSS / 1024)
    const { user, system } = process.cpuUsage(start)
    write(`  ${what}: ${Math.round((user + system) / 1_000)} ms of CPU, peak ${peak} MiB`)
    return answer
  }
  const push = (text: string) => {
    const json = JSON.stringify({ entry: 'plumbline.yaml', files: { 'plumbline.yaml': text } })
    const packed = gzipSync(json)
    return timed(`push of ${json.length} bytes, ${packed.length} packed`, 'PUT', path, {
      scope: 'apply configure',
      body: packed.toString('base64'),
      isBase64Encoded: true,
      headers: { 'content-encoding': 'gzip' },
    })
  }
  const text = largeConfiguration(resources)
  await push(text)
  await push(text + one)
  const { json } = await timed('versions', 'GET', `${path}/versions`, { scope: 'read' })
  const items = json['items'] as readonly unknown[]
  await timed('compare', 'GET', `${path}/versions/diff`, { scope: 'read', query: 'from=1&to=2' })
  const { files } = await deps.config.load('large')
  if (items.length !== 2 || files['plumbline.yaml'] !== text + one)
    throw new Error('what was pushed is not what is stored')
  await stop()
}

export const benchPush = async (write: (line: string) => void, resources = 100_000): Promise<void> => {
  for (const [name, create] of stores) {
    write(`${resources} resources, ${name}`)
    await pushTo(resources, create, write)
  }
}
