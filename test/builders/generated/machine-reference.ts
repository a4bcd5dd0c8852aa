import { machine } from '../../../core/providers/machine/machine.ts'
import { attributeTable, typesOf } from './type-tables.ts'

/** docs/machine-reference.md, from the schemas of the types. */
export const machineReference = (): string =>
  [
    '# Types of the machine provider',
    '',
    'Every type of `source: machine` with its attributes. Generated from the code by `npm run generate`;',
    '[machine-provider.md](machine-provider.md) explains how they work.',
    '',
    ...typesOf(machine, { alias: 'machine', with: { home: '/home/me' } }).flatMap((type) => [
      `## ${type.name}`,
      '',
      ...attributeTable(type),
    ]),
  ].join('\n')
