import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { Bundle } from '../../../core/engine/schema/stored/bundle.ts'
import { loadRecorded } from '../../../core/engine/state/runs/recorded.ts'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { expirePreview } from '../../../core/engine/workflows/workspace/expire-preview.ts'
import { putWorkspace } from '../../../core/engine/workflows/workspace/put-workspace.ts'
import { removeWorkspace } from '../../../core/engine/workflows/workspace/remove-workspace.ts'
import { storeSource } from '../../../functions/adapters/store-source.ts'
import { actor, testDeps } from './workspace.ts'

/*
 * An API with zones (found by name, in a scope), settings of each zone, and hosts with ids of the server in a zone. Every
 * write is kept with the object that it addresses.
 */

const document = `
provider:
  id: zones
  with: { scope: { description: Where the zones are. } }
  baseUrl: "http://zones.test/{with.scope}"
  reads: { absent: [404] }
  pagination: { style: none }
resources:
  z_zone:
    operations:
      retrieve: { method: GET, path: "/zones/{name}" }
      create: { method: PUT, path: "/zones/{name}" }
      update: { method: PUT, path: "/zones/{name}" }
      delete: { method: DELETE, path: "/zones/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: object }
        attributes:
          name: { required: true, in: path, immutable: true }
          note: {}
  z_kept:
    operations:
      retrieve: { method: GET, path: "/zones/{name}" }
      create: { method: PUT, path: "/zones/{name}" }
      update: { method: PUT, path: "/zones/{name}" }
      delete: { method: DELETE, path: "/zones/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    lifecycle: { preventDelete: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: object }
        attributes:
          name: { required: true, in: path, immutable: true }
          note: {}
  z_settings:
    operations:
      retrieve: { method: GET, path: "/zones/{zone}/settings" }
      update: { method: PUT, path: "/zones/{zone}/settings" }
    identity: { keys: [zone] }
    lookup: { retrieve: true }
    lifecycle: { single: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: object }
        attributes:
          zone: { in: path }
          note: {}
  z_host:
    operations:
      list: { method: GET, path: "/zones/{zone}/hosts" }
      retrieve: { method: GET, path: "/hosts/{id}" }
      create: { method: POST, path: "/zones/{zone}/hosts" }
      update: { method: PUT, path: "/hosts/{id}" }
      delete: { method: DELETE, path: "/hosts/{id}" }
    serverId: { id: id }
    identity: { keys: [zone, name] }
    lookup: { list: {}, match: [name] }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: object }
        attributes:
          zone: { required: true, immutable: true, sendOn: create }
          name: { required: true }
          note: {}
`

export const head = `workspace: acme
providers:
  z: { source: rest, definition: ./z.provider.yaml, with: { scope: main } }
`

/** A write, and the object that it is about: of a host its zone and name when it was sent. */
interface SentWrite {
  readonly method: string
  readonly path: string
  readonly object: string
}

interface Answered {
  readonly status: number
  readonly body: Json
}

export const objectOfHost = (scope: string, zone: string, name: string): string => `/${scope}/hosts of ${zone}: ${name}`

const zonesApi = () => {
  const objects = new Map<string, JsonObject>()
  const writes: SentWrite[] = []
  let ids = 0
  const none: Answered = { status: 404, body: { error: 'not found' } }
  const text = (value: Json | undefined): string => String(value)
  const hostObject = (path: string, host: JsonObject | undefined): string =>
    host === undefined ? path : objectOfHost(path.split('/')[1] ?? '', text(host['zone']), text(host['name']))

  const write = (method: string, path: string, body: JsonObject): Answered => {
    const [, scope = '', kind, name = '', part] = path.split('/')
    const isNew = method === 'POST' && part === 'hosts'
    const before = objects.get(path)
    const object = isNew
      ? objectOfHost(scope, name, text(body['name']))
      : kind === 'hosts'
        ? hostObject(path, before)
        : path
    writes.push({ method, path, object })
    if (isNew) {
      ids += 1
      const host = { ...body, zone: name, id: `h${ids}` }
      objects.set(`/${scope}/hosts/h${ids}`, host)
      return { status: 201, body: host }
    }
    if (method === 'DELETE') {
      objects.delete(path)
      if (kind === 'zones') objects.delete(`${path}/settings`)
      return { status: 204, body: null }
    }
    if (part === 'settings' && !objects.has(`/${scope}/zones/${name}`)) return none
    objects.set(path, { ...before, ...body, ...(kind === 'zones' && part === undefined && { name }) })
    return { status: 200, body: objects.get(path) ?? null }
  }

  const read = (path: string): Answered => {
    const [, scope = '', , name = '', part] = path.split('/')
    if (part === 'hosts') {
      const hosts = [...objects].filter(([at, host]) => at.startsWith(`/${scope}/hosts/`) && host['zone'] === name)
      return { status: 200, body: hosts.map(([, host]) => host) }
    }
    if (part === 'settings' && objects.has(`/${scope}/zones/${name}`)) {
      return { status: 200, body: { zone: name, note: 'as it comes', ...objects.get(path) } }
    }
    const found = objects.get(path)
    return found === undefined ? none : { status: 200, body: found }
  }
  return { objects, writes, write, read }
}

export type Checked = Awaited<ReturnType<typeof checkWorkspace>>

/** A store with workspaces of zones, and what their applies sent. */
export const previewWorld = () => {
  const api = zonesApi()
  const failing = new Set<string>()
  const hooks: { written?: () => Promise<unknown> } = {}
  const made = testDeps({
    transport: () => ({
      send: async ({ method, url, body }) => {
        const path = decodeURIComponent(new URL(url).pathname)
        if (method === 'GET' && failing.has(path)) return { status: 500, headers: {}, body: { error: 'broken' } }
        const answer = method === 'GET' ? api.read(path) : api.write(method, path, (body ?? {}) as JsonObject)
        if (method !== 'GET') await hooks.written?.()
        return { headers: {}, ...structuredClone(answer) }
      },
    }),
  })
  const deps = { ...made.deps, config: storeSource(made.deps.store) }
  const bundleOf = (text: string, overlay?: { readonly branch: string; readonly text: string }): Bundle => ({
    entry: 'plumbline.yaml',
    files: {
      'plumbline.yaml': text,
      'z.provider.yaml': document,
      ...(overlay && { 'plumbline.preview.yaml': overlay.text }),
    },
    ...(overlay && { preview: { branch: overlay.branch, overlay: 'plumbline.preview.yaml' } }),
  })
  const push = (text: string, more: { readonly reuse?: { readonly reason: string } } = {}) =>
    putWorkspace({ bundle: bundleOf(text), actor, ...more }, deps)
  const preview = (text: string, overlay: string, branch = 'login') =>
    putWorkspace({ bundle: bundleOf(text, { branch, text: overlay }), actor, reuse: { reason: 'again' } }, deps)
  const check = (workspace: string): Promise<Checked> => checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
  /** Checks, approves everything, and sends it. */
  const apply = async (workspace: string): Promise<Checked> => {
    const checked = await check(workspace)
    const { plan } = checked
    if (plan === undefined || plan.commands.length === 0) return checked
    const request = { workspace, mode: 'execute', digest: plan.digests.commands, reason: 'test', actor } as const
    const { id } = await requestApply(request, deps)
    await runApply({ workspace, applyId: id }, deps)
    return checked
  }
  const recorded = async (workspace: string) => (await loadRecorded(deps.store, workspace)).resources
  const expire = (workspace: string) => expirePreview({ workspace, actor, reason: 'merged' }, deps)
  const remove = (workspace: string) => removeWorkspace({ workspace, actor, reason: 'gone' }, deps)
  return { ...made, deps, api, failing, hooks, push, preview, check, apply, recorded, expire, remove }
}
