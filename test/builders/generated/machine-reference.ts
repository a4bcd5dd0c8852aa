import { namedFiles } from '../../../core/config/files/named-files.ts'
import { machine } from '../../../core/providers/machine/machine.ts'
import type { ResourceType } from '../../../core/providers/provider.ts'
import type { Attribute } from '../../../core/schema/attribute.ts'

/** docs/machine-reference.md, from the schemas of the types. */
export const machineReference = (): string => {
  const configured = machine.configure({
    alias: 'machine',
    with: { home: '/home/me' },
    position: { file: '', line: 1, column: 1 },
    files: namedFiles({ files: {} }),
  })
  const types = configured.ok ? Object.values(configured.provider.types) : []
  return [
    '# Types of the machine provider',
    '',
    'Every type of `source: machine` with its attributes. Generated from the code by `npm run generate`;',
    '[machine-provider.md](machine-provider.md) explains how they work.',
    '',
    ...types.flatMap(chapter),
  ].join('\n')
}

const chapter = ({ name, schema }: ResourceType): readonly string[] => [
  `## ${name}`,
  '',
  '| attribute | type | default | meaning |',
  '|---|---|---|---|',
  ...Object.entries(schema.attributes).map(([attribute, facts]) => row(attribute, facts)),
  '',
]

const row = (name: string, facts: Attribute): string => {
  const notes = [
    facts.identity && 'identity',
    facts.sensitive && 'secret',
    facts.writeOnly && 'write-only',
    facts.type === 'map' && facts.manage === 'declared' && 'other keys are left alone',
  ].filter((note) => typeof note === 'string')
  const given = facts.default === undefined ? '' : `\`${JSON.stringify(facts.default)}\``
  const fallback = facts.required ? '**required**' : given
  const meaning = `${facts.description ?? ''}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
  return `| \`${name}\` | ${facts.type} | ${fallback} | ${meaning} |`
}
