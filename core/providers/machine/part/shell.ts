import type { ResourceType } from '../../../engine/provider/provider.ts'
import type { Attribute } from '../../../engine/schema/attribute.ts'
import { namesSet, type SetName, shellSetPart } from '../../../engine/values/text-parts/shell-set.ts'
import type { MachineScope } from '../shared/scope.ts'
import { descriptions, partNames } from '../shared/words.ts'
import { fileAttribute, partType } from './part-type.ts'

/** The files that a login or a shell reads, and that people write. */
export const shellFiles = ['.bash_aliases', '.bash_profile', '.bashrc', '.profile', '.zprofile', '.zshenv', '.zshrc']

const nameAttribute = (description: string): Attribute => ({
  type: 'string',
  identity: true,
  required: true,
  immutable: true,
  description,
})

const valueAttribute = (description: string): Attribute => ({
  type: 'string',
  required: true,
  nullMeans: 'reject',
  description,
})

const listingOf = (word: SetName['word']) => ({
  files: shellFiles,
  identities: (file: Parameters<typeof namesSet>[0]) => namesSet(file, word).map((name) => ({ name })),
})

const nameFor =
  (word: SetName['word']) =>
  ({ name }: { readonly [member: string]: unknown }) =>
    typeof name === 'string' ? { word, name } : undefined

/** `alias name='value'`. */
export const aliasType = (machine: MachineScope): ResourceType =>
  partType(machine, {
    name: 'machine_alias',
    attributes: {
      file: fileAttribute(descriptions.partFile, '.bashrc'),
      name: nameAttribute(descriptions.alias),
      value: valueAttribute(descriptions.aliasValue),
    },
    kind: 'set',
    part: shellSetPart,
    file: '.bashrc',
    about: 'value',
    nameOf: nameFor('alias'),
    valueOf: ({ value }) => ({ value: value ?? '', expand: false }),
    attributesOf: ({ value }) => ({ value }),
    describe: ({ name }) => partNames.alias(name),
    listing: listingOf('alias'),
  })

/** `export NAME='value'`. */
export const envType = (machine: MachineScope): ResourceType =>
  partType(machine, {
    name: 'machine_env',
    attributes: {
      file: fileAttribute(descriptions.partFile, '.profile'),
      name: nameAttribute(descriptions.variable),
      value: valueAttribute(descriptions.variableValue),
      expand: {
        type: 'boolean',
        default: false,
        whenUndeclared: 'default',
        nullMeans: 'reject',
        description: descriptions.expand,
      },
    },
    kind: 'set',
    part: shellSetPart,
    file: '.profile',
    about: 'value',
    nameOf: nameFor('export'),
    valueOf: ({ value, expand }) => ({ value: value ?? '', expand: expand ?? false }),
    attributesOf: ({ value, expand }) => ({ value, expand }),
    describe: ({ name }) => partNames.variable(name),
    listing: listingOf('export'),
  })
