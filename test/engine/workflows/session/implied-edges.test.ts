import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadWorkspace } from '../../../../core/engine/workflows/session/load/load-workspace.ts'
import { providers } from '../../../../core/providers/index.ts'

/* What a document says of its attributes (`refersTo`) orders resources that name each other in plain text. */

const documents = { rabbitmq: 'rabbitmq.provider.yaml', dataiku: 'dataiku.provider.yaml' }
const settings = {
  rabbitmq: { baseUrl: 'http://127.0.0.1:1/api', user: 'u', password: { secret: 'env:P' } },
  dataiku: { host: 'http://127.0.0.1:1', apiKey: { secret: 'env:K' } },
}

type Declared = readonly [address: string, spec: object, dependsOn?: readonly string[]]

const edges = (example: keyof typeof documents, declared: readonly Declared[]): Record<string, readonly string[]> => {
  const file = documents[example]
  const text = readFileSync(new URL(`../../../../examples/${example}/${file}`, import.meta.url), 'utf8')
  const configuration = {
    workspace: 'w',
    providers: { api: { source: 'rest', definition: `./${file}`, with: settings[example] } },
    resources: declared.map(([address, spec, dependsOn]) => {
      const [type, name] = address.split('.')
      return { type, name, spec, ...(dependsOn && { dependsOn }) }
    }),
  }
  const files = { 'plumbline.yaml': JSON.stringify(configuration), [file]: text }
  const { resources } = loadWorkspace({ entry: 'plumbline.yaml', files }, providers).configuration
  return Object.fromEntries(
    resources.flatMap(({ address, dependsOn }) => (dependsOn.length === 0 ? [] : [[address, dependsOn.toSorted()]])),
  )
}

const queue = (name: string, vhost: string): Declared => [`rabbitmq_queue.${name}`, { vhost, name: 'jobs' }]
const exchange = (name: string, vhost: string): Declared => [
  `rabbitmq_exchange.${name}`,
  { vhost, name: 'jobs', type: 'topic' },
]
const binding = (name: string, vhost: string): Declared => [
  `rabbitmq_binding.${name}`,
  { vhost, source: 'jobs', destination: 'jobs' },
]
const vhost = (name: string): Declared => [`rabbitmq_vhost.${name}`, { name }]

const dataset = (name: string, project: string, called = name): Declared => [
  `dss_dataset.${name}`,
  { project, name: called, type: 'Filesystem' },
]
const recipe = (name: string, project: string, inputs: readonly string[], outputs: readonly string[]): Declared => [
  `dss_recipe.${name}`,
  {
    project,
    name,
    type: 'sync',
    inputs: inputs.map((ref) => ({ ref })),
    outputs: outputs.map((ref) => ({ ref })),
  },
]

describe('dependencies that the provider document implies', () => {
  test.each<[string, keyof typeof documents, readonly Declared[], Record<string, readonly string[]>]>([
    [
      'a binding waits for its queue, its exchange and its virtual host',
      'rabbitmq',
      [binding('b', 'shop'), queue('q', 'shop'), exchange('e', 'shop'), vhost('shop')],
      {
        'rabbitmq_binding.b': ['rabbitmq_exchange.e', 'rabbitmq_queue.q', 'rabbitmq_vhost.shop'],
        'rabbitmq_queue.q': ['rabbitmq_vhost.shop'],
        'rabbitmq_exchange.e': ['rabbitmq_vhost.shop'],
      },
    ],
    [
      'of objects with one name, only those in the same parent are meant',
      'rabbitmq',
      [binding('b', 'eu'), queue('eu', 'eu'), queue('us', 'us'), exchange('us', 'us')],
      { 'rabbitmq_binding.b': ['rabbitmq_queue.eu'] },
    ],
    [
      'a parent by reference and a parent by name are the same parent',
      'rabbitmq',
      [vhost('eu'), binding('b', '${resource.rabbitmq_vhost.eu.name}'), queue('eu', 'eu'), queue('us', 'us')],
      {
        'rabbitmq_binding.b': ['rabbitmq_queue.eu', 'rabbitmq_vhost.eu'],
        'rabbitmq_queue.eu': ['rabbitmq_vhost.eu'],
      },
    ],
    [
      'a recipe waits for its inputs and outputs in its own project',
      'dataiku',
      [
        recipe('r', 'A', ['in', 'undeclared'], ['out']),
        dataset('in', 'A'),
        dataset('out', 'A'),
        dataset('b', 'B', 'in'),
      ],
      { 'dss_recipe.r': ['dss_dataset.in', 'dss_dataset.out'] },
    ],
    [
      'what is shared waits for the dataset',
      'dataiku',
      [
        ['dss_exposed_objects.x', { project: 'A', objects: [{ type: 'DATASET', localName: 'in' }] }],
        dataset('in', 'A'),
      ],
      { 'dss_exposed_objects.x': ['dss_dataset.in'] },
    ],
    [
      'what would make a circle with declared dependencies is left out',
      'rabbitmq',
      [['rabbitmq_vhost.shop', { name: 'shop' }, ['rabbitmq_queue.q']], queue('q', 'shop')],
      { 'rabbitmq_vhost.shop': ['rabbitmq_queue.q'] },
    ],
  ])('are found from the values that resources share: %s', (_, example, declared, expected) => {
    expect(edges(example, declared)).toEqual(expected)
  })
})
