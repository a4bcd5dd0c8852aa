import type { ResourceType } from '../../../engine/provider/provider.ts'
import { isMark } from '../../../engine/schema/value.ts'
import { linePart } from '../../../engine/values/text-parts/line.ts'
import type { MachineScope } from '../shared/scope.ts'
import { descriptions, partNames, refusals } from '../shared/words.ts'
import { fileAttribute, partType } from './part-type.ts'

/** One line of a text file. */
export const lineType = (machine: MachineScope): ResourceType =>
  partType(machine, {
    name: 'machine_line',
    attributes: {
      file: fileAttribute(descriptions.partFile),
      startsWith: { type: 'string', identity: true, immutable: true, description: descriptions.startsWith },
      line: { type: 'string', nullMeans: 'reject', description: descriptions.line },
    },
    kind: 'line',
    part: linePart,
    about: 'line',
    prepare: ({ startsWith, line }, refuse) => {
      if (startsWith !== undefined || line === undefined) return {}
      return isMark(line) ? refuse('line', refusals.secretLine()) : { startsWith: line }
    },
    nameOf: ({ startsWith, line }) =>
      typeof startsWith === 'string' ? { startsWith, exact: startsWith === line } : undefined,
    valueOf: ({ line, startsWith }) => line ?? startsWith ?? '',
    attributesOf: (line) => ({ line }),
    describe: ({ startsWith }) => partNames.line(startsWith),
  })
