import type { ResourceType } from '../../../engine/provider/provider.ts'
import type { ObjectSchema } from '../../../engine/schema/attribute.ts'
import { prepareMode } from '../file/prepare.ts'
import type { MachineScope } from '../shared/scope.ts'
import { descriptions, doing } from '../shared/words.ts'
import { type EntryKind, entryType } from './entry.ts'

const schema: ObjectSchema = {
  attributes: {
    path: { type: 'string', identity: true, required: true, immutable: true, description: descriptions.folderPath },
    mode: { type: 'string', nullMeans: 'reject', description: descriptions.folderMode },
  },
}

const directory: EntryKind = {
  media: 'inode/directory',
  name: 'machine_directory',
  schema,
  prepare: ({ mode }, refuse) => prepareMode(mode, refuse),
  attributes: ({ mode }) => (typeof mode === 'string' ? { mode } : undefined),
  bodyOf: ({ mode }) => ({ mode: mode ?? '0755' }),
  describe: (path, { mode }, isNew) => (isNew ? doing.create(path) : doing.changeMode(path, String(mode))),
}

export const directoryType = (machine: MachineScope): ResourceType => entryType(machine, directory)
