import { documentReader, type TofuDocument } from '../../../../core/pages/tofu/read/load-document.ts'
import { schemaReader } from '../../../../core/pages/tofu/read/load-schemas.ts'
import type { Reader } from '../../../../core/pages/tofu/read/read-json.ts'
import type { Schemas } from '../../../../core/pages/tofu/read/schemas.ts'

/** What is in memory, at once. A text is the document itself. */
const readAll = <Out>(reader: Reader<Out>, value: unknown): Out => {
  reader.push(
    value instanceof Uint8Array ? value : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  )
  return reader.end()
}

export const readDocument = (value: unknown): TofuDocument => readAll(documentReader('plan.json'), value)

export const readParts = (
  value: unknown,
  schemas?: unknown,
): { readonly document: TofuDocument; readonly schemas: Schemas | undefined } => {
  const document = readDocument(value)
  return {
    document,
    schemas: schemas === undefined ? undefined : readAll(schemaReader('schemas.json', document), schemas),
  }
}
