import { loadConfiguration } from '../../core/engine/config/load.ts'
import { wavesOf } from '../../core/engine/graph/graph.ts'
import { buildPlan } from '../../core/engine/plan/build-plan.ts'
import { orderChanges } from '../../core/engine/plan/order-changes.ts'
import type { TypeFacts } from '../../core/engine/plan/planning.ts'
import { planResource } from '../../core/engine/plan/resource/plan-resource.ts'

const module = `
parameters: { domain: { type: string, validation: { pattern: '^[a-z0-9.]+$' } }, hosts: { type: list } }
resources:
  - { type: pdns_zone, name: main, spec: { name: "\${var.domain}.", kind: Native, serial: 1 } }
  - type: pdns_record
    name: host
    forEach: "\${var.hosts}"
    spec:
      zone: "\${resource.pdns_zone.main.name}"
      name: "\${each.key}.\${var.domain}."
      parent: "\${resource.pdns_zone.main.id}"
      records: [192.0.2.1, 192.0.2.2]
outputs: { zone: { value: "\${resource.pdns_zone.main.name}" } }
`

/** One zone and nine records in each instance of the module. */
const filesFor = (resources: number) => {
  const keys = Array.from({ length: resources / 10 }, (_, n) => `z${n}`)
  const hosts = Array.from({ length: 9 }, (_, n) => `h${n}`)
  const root = `
workspace: bench
variables: { hosts: { type: list, default: [${hosts.join(', ')}] } }
modules:
  - name: zones
    source: ./zone
    forEach: [${keys.join(', ')}]
    with: { domain: "\${each.key}.example", hosts: "\${var.hosts}" }
`
  return { 'plumbline.yaml': root, 'zone/module.yaml': module }
}

const facts: TypeFacts = {
  schema: {
    attributes: {
      zone: { type: 'string' },
      name: { type: 'string', identity: true, normalise: ['lower', 'trailingDot'] },
      kind: { type: 'string' },
      serial: { type: 'number' },
      parent: { type: 'string' },
      records: { type: 'set', element: { type: 'string' } },
      id: { type: 'string', computed: true },
    },
  },
}

const timeModules = (resources: number) => {
  const files = filesFor(resources)
  const start = performance.now()
  const loaded = loadConfiguration({ entry: 'plumbline.yaml', files })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.issues.slice(0, 3)))
  const desired = loaded.configuration.resources
  const loadedAt = performance.now()
  wavesOf(desired)
  const planned = desired.map((each, n) => {
    const attributes = { ...each.attributes, ...(Object.hasOwn(each.attributes, 'parent') ? { parent: 'id' } : {}) }
    const observed = { ...attributes, id: 'id', ...(n % 100 === 0 ? { kind: 'Other' } : {}) }
    return planResource({
      desired: { ...each, attributes },
      observed: { kind: 'present', attributes: observed },
      facts,
      ignoreRules: [],
      today: '2026-11-21',
    })
  })
  const changes = orderChanges(
    planned.flatMap(({ change }) => change ?? []),
    desired,
    [],
  )
  const plan = buildPlan({ workspace: 'bench', planned, changes, unmanaged: [], commands: [] })
  const end = performance.now()
  return {
    resources: desired.length,
    changes: plan.changes.length,
    load: Math.round(loadedAt - start),
    whole: Math.round(end - start),
  }
}

/** Goal of the product: 5,000 resources in 2 s, 100,000 in 12 s. */
export const benchModules = (write: (line: string) => void, sizes: readonly number[] = [5_000, 100_000]): void => {
  for (const size of sizes) {
    const { resources, changes, load, whole } = timeModules(size)
    write(`${resources} resources from modules and forEach: ${changes} changes, load ${load} ms, all ${whole} ms`)
  }
}
