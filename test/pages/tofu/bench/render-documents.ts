import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/** A plan, entry by entry, so that nobody holds all of it. */
type Entries = (n: number) => Iterable<object>

const thing = (index: number, change: object) => ({
  address: `module.m${index % 20}.test_thing.r[${index}]`,
  module_address: `module.m${index % 20}`,
  mode: 'managed',
  type: 'test_thing',
  name: 'r',
  index,
  provider_name: 'example.test/acme/test',
  change: { before: null, after: null, after_unknown: {}, before_sensitive: {}, after_sensitive: {}, ...change },
})

const attributesOf = (index: number, size: string) => ({
  id: `thing-${index}`,
  arn: `arn:acme:thing:eu-central-1:123456789012:thing/${index}`,
  name: `thing ${index}`,
  size,
  tags: { owner: `team-${index % 7}`, stage: 'prod', cost: String(index % 13) },
  rules: [80, 443, 8080].map((port) => ({
    port,
    protocol: 'tcp',
    cidr_blocks: ['10.0.0.0/8', `10.${index % 256}.0.0/16`],
  })),
  policy: JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['a:Get', 'a:Put'], Resource: `*${index}` }],
  }),
})

const created = (index: number): object => {
  const { id: _, arn: __, ...after } = attributesOf(index, 'small')
  return thing(index, { actions: ['create'], after, after_unknown: { id: true, arn: true, rules: [{}, {}, {}] } })
}

const still = (index: number): object => {
  const value = attributesOf(index, 'small')
  return thing(index, { actions: ['no-op'], before: value, after: value })
}

const updated = (index: number): object =>
  thing(index, { actions: ['update'], before: attributesOf(index, 'small'), after: attributesOf(index, 'large') })

function* upTo(n: number, make: (index: number) => object): Generator<object> {
  for (let index = 0; index < n; index += 1) yield make(index)
}

const update = (before: object, after: object): object => thing(0, { actions: ['update'], before, after })

const text = (n: number, edits: number): readonly [string, string] => {
  const lines = Array.from({ length: n }, (_, index) => `line ${index} says what line ${index} says`)
  const every = Math.floor(n / edits)
  const edited = lines.map((line, index) => (index % every === every >> 1 ? `${line} today` : line))
  return [lines.join('\n'), edited.join('\n')]
}

const objects = (n: number, shift: number): readonly object[] =>
  Array.from({ length: n }, (_, index) => ({
    name: `rule-${(index + shift) % n}`,
    from_port: (index + shift) % 65_536,
    protocol: 'tcp',
    // One in fifty differs.
    note: (index + shift) % 50 === 0 ? `changed ${shift}` : 'as ever',
  }))

/** What is measured: `n` is the size that the goals speak of. */
export interface Subject {
  readonly name: string
  readonly n: number
  readonly entries: Entries
  /** Milliseconds and megabytes (whole process) for `n`. */
  readonly goal: { readonly time: number; readonly memory: number }
}

export const subjects: readonly Subject[] = [
  { name: 'creates', n: 5_000, entries: (n) => upTo(n, created), goal: { time: 4_000, memory: 500 } },
  {
    name: 'no-ops, 50 updates',
    n: 50_000,
    entries: (n) => upTo(n, (index) => (index % (n / 50) === 0 ? updated(index) : still(index))),
    goal: { time: 3_000, memory: 150 },
  },
  {
    name: 'lines, 100 edits',
    n: 10_000,
    entries: (n) => {
      const [before, after] = text(n, 100)
      return [update({ text: before }, { text: after })]
    },
    goal: { time: 200, memory: 100 },
  },
  {
    name: 'lines, 1 % edited',
    n: 10_000,
    entries: (n) => {
      const [before, after] = text(n, n / 100)
      return [update({ text: before }, { text: after })]
    },
    goal: { time: 200, memory: 100 },
  },
  {
    name: 'objects of a set',
    n: 2_000,
    entries: (n) => [update({ rules: objects(n, 0) }, { rules: objects(n, 7) })],
    goal: { time: 500, memory: 120 },
  },
]

/** The schemas of the one type, by which `rules` is a set. */
export const schemas = {
  format_version: '1.0',
  provider_schemas: {
    'example.test/acme/test': {
      resource_schemas: {
        test_thing: {
          block: {
            attributes: {
              ...Object.fromEntries(
                ['id', 'arn', 'name', 'size', 'policy', 'text'].map((name) => [name, { type: 'string' }]),
              ),
              tags: { type: ['map', 'string'] },
              rules: {
                type: [
                  'set',
                  [
                    'object',
                    {
                      port: 'number',
                      from_port: 'number',
                      name: 'string',
                      note: 'string',
                      protocol: 'string',
                      cidr_blocks: ['list', 'string'],
                    },
                  ],
                ],
              },
            },
          },
        },
      },
    },
  },
}

/** The plan as `show -json` orders it, with the parts that no page shows. */
export const writePlan = async (file: string, entries: Iterable<object>): Promise<void> => {
  const stream = createWriteStream(file)
  const put = async (part: string): Promise<void> => {
    if (!stream.write(part)) await once(stream, 'drain')
  }
  await put('{"format_version":"1.2","terraform_version":"1.10.0","planned_values":{"root_module":{"resources":[')
  let separator = ''
  for (const entry of entries) {
    await put(separator + JSON.stringify(entry))
    separator = ','
  }
  await put(']}},"resource_changes":[')
  separator = ''
  for (const entry of entries) {
    await put(separator + JSON.stringify(entry))
    separator = ','
  }
  stream.end(']}')
  await once(stream, 'close')
}
