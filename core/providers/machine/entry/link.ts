import type { ResourceType } from '../../../engine/provider/provider.ts'
import type { ObjectSchema } from '../../../engine/schema/attribute.ts'
import { defined } from '../../../engine/values/defined.ts'
import type { MachineScope } from '../shared/scope.ts'
import { descriptions, doing, refusals } from '../shared/words.ts'
import { type EntryKind, entryType } from './entry.ts'

const schema: ObjectSchema = {
  attributes: {
    path: { type: 'string', identity: true, required: true, immutable: true, description: descriptions.linkPath },
    target: { type: 'string', required: true, nullMeans: 'reject', description: descriptions.target },
  },
}

const link: EntryKind = {
  media: 'inode/symlink',
  name: 'machine_link',
  schema,
  prepare: ({ target }, refuse) =>
    typeof target === 'string' && (target === '' || target.includes('\0'))
      ? refuse('target', refusals.linkTarget())
      : { ...defined({ target }) },
  attributes: ({ target }) => (typeof target === 'string' ? { target } : undefined),
  bodyOf: ({ target }) => ({ target: target ?? '' }),
  describe: (path) => doing.link(path),
}

export const linkType = (machine: MachineScope): ResourceType => entryType(machine, link)
