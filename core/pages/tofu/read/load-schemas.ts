import type { TofuDocument } from './load-document.ts'
import { type ByteStream, checkVersion, createReader, type Reader, readStream } from './read-json.ts'
import { each, parts, type Selection, wholes } from './scan.ts'
import { readSchemas, type Schemas } from './schemas.ts'

/** All but descriptions, which are most of the file. */
const attribute: Selection = {
  member: (key) => {
    if (key === 'nested_type') return parts({ ...wholes('nesting_mode'), attributes: each(attribute) })
    return key.startsWith('description') ? 'nothing' : 'all'
  },
}

const block: Selection = {
  member: (key) => {
    if (key === 'attributes') return each(attribute)
    if (key !== 'block_types') return 'nothing'
    return each({ member: (member) => (member === 'block' ? block : 'all') })
  },
}

/** Those of the types that the document has; a provider knows thousands. */
export const schemaReader = (name: string, { types }: TofuDocument): Reader<Schemas> => {
  const known: Selection = { member: (type) => (types.has(type) ? parts({ block }) : 'nothing') }
  const providers = each(parts({ resource_schemas: known, data_source_schemas: known }))
  const { push, end } = createReader(name, parts({ ...wholes('format_version'), provider_schemas: providers }))
  return {
    push,
    end: () => {
      const document = end()
      checkVersion(document, 'the schemas', { major: 1, minor: 0 })
      return readSchemas(document)
    },
  }
}

/** The answer of `providers schema -json`, as far as the document needs it. Rejects with USAGE for what is not JSON. */
export const loadTofuSchemas = (source: ByteStream, document: TofuDocument): Promise<Schemas> =>
  readStream(source, schemaReader(source.name, document))
