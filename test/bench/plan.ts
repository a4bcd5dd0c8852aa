import { wavesOf } from '../../core/engine/graph/graph.ts'
import { buildPlan } from '../../core/engine/plan/build-plan.ts'
import { orderChanges } from '../../core/engine/plan/order-changes.ts'
import type { ResourceInput, TypeFacts } from '../../core/engine/plan/planning.ts'
import { planResource } from '../../core/engine/plan/resource/plan-resource.ts'
import type { JsonObject } from '../../core/engine/schema/json.ts'
import type { DesiredResource, RecordedResource } from '../../core/engine/schema/resource.ts'

/** Three kinds of resource that exercise the facts: keyed sets with ignored elements, fixed and default, write-only. */
const kinds: readonly { readonly type: string; readonly facts: TypeFacts; readonly make: (n: number) => JsonObject }[] =
  [
    {
      type: 'zone',
      facts: {
        schema: {
          attributes: {
            name: { type: 'string', identity: true, immutable: true, normalise: ['lower', 'trailingDot'] },
            kind: { type: 'string' },
            serial: { type: 'number', computed: true },
            rrsets: {
              type: 'set',
              key: ['name', 'type'],
              ignore: [{ type: 'SOA' }, { type: 'NS', name: '{name}' }],
              element: {
                type: 'object',
                attributes: {
                  name: { type: 'string', normalise: ['lower', 'trailingDot'] },
                  type: { type: 'string', normalise: ['upper'] },
                  ttl: { type: 'number', normalise: ['number'] },
                  records: { type: 'set', element: { type: 'string' } },
                },
              },
            },
          },
        },
      },
      make: (n) => ({
        name: `Zone${n}.example`,
        kind: 'Native',
        rrsets: ['www', 'api'].map((host) => ({
          name: `${host}.zone${n}.example`,
          type: 'A',
          ttl: 300,
          records: ['192.0.2.2', '192.0.2.1'],
        })),
      }),
    },
    {
      type: 'queue',
      facts: {
        lifecycle: { onImmutable: 'replace' },
        schema: {
          attributes: {
            vhost: { type: 'string', identity: true, immutable: true },
            name: { type: 'string', identity: true, immutable: true },
            durable: { type: 'boolean', immutable: true, default: true, whenUndeclared: 'default' },
            kind: { type: 'string', default: 'classic' },
            arguments: { type: 'map', element: { type: 'any' }, default: {}, whenUndeclared: 'default' },
            messages: { type: 'number', computed: true },
          },
        },
      },
      make: (n) => ({ vhost: '/', name: `queue-${n}`, kind: 'classic', arguments: { 'x-max-length': n } }),
    },
    {
      type: 'user',
      facts: {
        schema: {
          attributes: {
            name: { type: 'string', identity: true },
            kind: { type: 'string' },
            tags: { type: 'set', element: { type: 'string' }, normalise: ['commaList'] },
            password: { type: 'string', writeOnly: true, sensitive: true, witness: 'hash' },
            hash: { type: 'string', computed: true, sensitive: true },
          },
        },
      },
      make: (n) => ({
        name: `user-${n}`,
        kind: 'person',
        tags: 'b, a',
        password: { $secret: `env:PASSWORD_${n}`, digest: `hmac-sha256:${n}` },
      }),
    },
  ]

const observe = (attributes: JsonObject, n: number): JsonObject => {
  const { password: _, ...readable } = attributes
  return { ...readable, kind: n % 100 === 0 ? 'Other' : (attributes['kind'] ?? null), serial: n, messages: n }
}

const makeInput = (n: number): ResourceInput => {
  const { type, facts, make } = kinds[n % kinds.length]!
  const subject = {
    address: `${type}.r${n}`,
    type,
    name: `r${n}`,
    provider: 'bench',
    dependsOn: n < 3 ? [] : [`${type}.r${n - 3}`],
    lifecycle: {},
  }
  const attributes = make(n)
  const desired: DesiredResource = {
    ...subject,
    absent: false,
    attributes,
    position: { file: 'plumbline.yaml', line: n + 1, column: 1 },
  }
  const recorded: RecordedResource = {
    ...subject,
    attributes: observe(attributes, 1),
    sent: { '/password': { digest: `hmac-sha256:${n}` } },
  }
  const observed = { kind: 'present', attributes: observe(attributes, n) } as const
  return { desired, recorded, observed, facts, ignoreRules: [], today: '2026-11-21' }
}

interface PlanTiming {
  readonly resources: number
  readonly changes: number
  readonly milliseconds: number
  /** Of the whole process, its inputs included. */
  readonly peakRssMiB: number
}

/** Plans `resources` synthetic resources, of which one in a hundred differs, as one check does after reading. */
const timePlan = (resources: number): PlanTiming => {
  const inputs = Array.from({ length: resources }, (_, n) => makeInput(n))
  const nodes = inputs.map(({ desired }) => desired!)
  const start = performance.now()
  wavesOf(nodes)
  const planned = inputs.map(planResource)
  const changes = orderChanges(
    planned.flatMap(({ change }) => change ?? []),
    nodes,
    [],
  )
  const plan = buildPlan({ workspace: 'bench', planned, changes, unmanaged: [], commands: [] })
  return {
    resources,
    changes: plan.changes.length,
    milliseconds: Math.round(performance.now() - start),
    peakRssMiB: Math.round(process.resourceUsage().maxRSS / 1024),
  }
}

/** Goal of the product: 100,000 resources in less than 10 s and 512 MiB. */
export const benchPlan = (write: (line: string) => void, sizes: readonly number[] = [10_000, 100_000]): void => {
  for (const size of sizes) {
    const { changes, milliseconds, peakRssMiB } = timePlan(size)
    write(`plan of ${size} resources: ${changes} changes, ${milliseconds} ms, peak ${peakRssMiB} MiB`)
  }
}
