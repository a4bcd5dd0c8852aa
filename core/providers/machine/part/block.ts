import type { ResourceType } from '../../../engine/provider/provider.ts'
import { blockNames, blockPart } from '../../../engine/values/text-parts/block.ts'
import type { MachineScope } from '../shared/scope.ts'
import { descriptions, partNames } from '../shared/words.ts'
import { fileAttribute, partType } from './part-type.ts'
import { shellFiles } from './shell.ts'

/** Lines of a text file between two marks. */
export const blockType = (machine: MachineScope): ResourceType =>
  partType(machine, {
    name: 'machine_block',
    attributes: {
      file: fileAttribute(descriptions.partFile),
      name: { type: 'string', identity: true, required: true, immutable: true, description: descriptions.blockName },
      comment: {
        type: 'string',
        identity: true,
        immutable: true,
        nullMeans: 'reject',
        default: '#',
        description: descriptions.comment,
      },
      content: {
        type: 'string',
        required: true,
        nullMeans: 'empty',
        normalise: ['finalNewline'],
        description: descriptions.blockContent,
      },
    },
    kind: 'block',
    part: blockPart,
    about: 'content',
    prepare: ({ comment }) => ({ comment: comment ?? '#' }),
    nameOf: ({ name, comment = '#' }) =>
      typeof name === 'string' && typeof comment === 'string' ? { name, comment } : undefined,
    valueOf: ({ content }) => content ?? '',
    attributesOf: (content) => ({ content }),
    describe: ({ name }) => partNames.block(name),
    listing: {
      files: shellFiles,
      identities: (file) => blockNames(file, '#').map((name) => ({ name, comment: '#' })),
    },
  })
