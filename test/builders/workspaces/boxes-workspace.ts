import type { SourcedBundle } from '../../../core/engine/config/files/source.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { type Checked, checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { type Acceptance, acceptDrift } from '../../../core/tools/authoring/accept/accept-drift.ts'
import { actor, testDeps } from './workspace.ts'

/*
 * A workspace of boxes: objects with every kind of attribute. What stands behind `resources:` is the text under test; the
 * objects are what the resources say until somebody changes them.
 */

const document = `
provider:
  id: box
  with: { label: { description: Of the sender., default: none } }
  baseUrl: "http://boxes.test"
  params: { label: "{with.label}" }
  reads: { absent: [404] }
resources:
  box_item:
    operations:
      retrieve: { method: GET, path: "/items/{name}" }
      create: { method: PUT, path: "/items/{name}" }
      update: { method: PUT, path: "/items/{name}" }
      delete: { method: DELETE, path: "/items/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: object }
        attributes:
          name: { required: true, in: path }
          ttl: { type: number }
          on: { type: boolean }
          note: {}
          size: { default: small }
          owner: { required: true }
          token: { sensitive: true }
          password: { writeOnly: true, sensitive: true }
          made: { computed: true }
          fixed: { immutable: true }
          hosts: { type: list }
          tags: { type: set }
          free: { type: any }
          labels: { type: map }
          kept: { type: map, manage: declared }
          address: { type: object, attributes: { city: {}, zip: { type: number }, code: { computed: true } } }
          rows:
            type: set
            key: [id]
            element:
              type: object
              attributes:
                id: {}
                value: {}
                state: { computed: true }
                ports: { type: list, element: { type: number } }
                pairs: { type: set, key: [k], element: { type: object, attributes: { k: {}, v: {} } } }
`

export const head = `workspace: boxes
providers:
  box: { source: rest, definition: ./box.provider.yaml }
`

interface Options {
  readonly entry?: string
  /** The configuration as a whole. */
  readonly text?: string
  /** Values that were given for variables. */
  readonly variables?: JsonObject
  /** More files. */
  readonly files?: Readonly<Record<string, string>>
}

/** New values of members; none for an object that is deleted. */
export type Changed = Readonly<Record<string, Json | undefined>> | undefined

/** `live` are the objects as they are when the first check agrees with them. */
export const boxes = async (resources: string, live: Readonly<Record<string, JsonObject>>, options: Options = {}) => {
  const { entry = 'plumbline.yaml', text = head + resources, variables = {}, files = {} } = options
  const items = new Map<string, Json>(Object.entries(live).map(([name, item]) => [name, { name, ...item }]))
  const failing = new Set<string>()
  const sent: string[] = []
  const { deps, current, secrets } = testDeps({
    transport: () => ({
      send: async ({ method, url }) => {
        const name = decodeURIComponent(url.split('/').at(-1) ?? '')
        sent.push(`${method} ${name}`)
        const item = items.get(name)
        if (failing.has(name)) return { status: 403, headers: {}, body: { error: 'no' } }
        return { status: item === undefined ? 404 : 200, headers: {}, body: item ?? { error: 'none' } }
      },
    }),
  })
  secrets['env:TOKEN'] = 'a-token-of-some-length'
  const configure = (given: string): void => {
    const all = { [entry]: given, 'box.provider.yaml': document, ...files }
    const bundle: SourcedBundle = { entry, files: all, folder: '/there', variables }
    current.bundle = bundle
  }
  configure(text)
  const check = (): Promise<Checked> => checkWorkspace({ workspace: 'boxes', trigger: 'cli', actor }, deps)
  await check()
  sent.splice(0)
  return {
    deps,
    sent,
    text,
    configure,
    check,
    /** Somebody changes an object outside; `undefined` deletes it. */
    change: (name: string, members: Changed): void => {
      if (members === undefined) items.delete(name)
      // A member with `undefined` is left out of the answers from now on.
      else
        items.set(
          name,
          JSON.parse(JSON.stringify({ ...(items.get(name) as JsonObject | undefined), name, ...members })),
        )
    },
    hide: (name: string): void => void failing.add(name),
    accept: (address?: string, ...paths: readonly string[]): Promise<Acceptance> =>
      acceptDrift({ workspace: 'boxes', paths, ...(address === undefined ? {} : { address }) }, deps),
  }
}

/** The lines that a diff removes and adds. */
export const changedLines = ({ report }: Acceptance): readonly string[] =>
  report.files.flatMap(({ diff }) => diff.split('\n').filter((line) => /^[-+](?!--|\+\+)/.test(line)))
