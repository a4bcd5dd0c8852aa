import { isObject } from '../../schema/json.ts'
import { workspaceId } from '../../schema/records.ts'
import { parseDocument } from '../syntax/parse-document.ts'

/** Of a key at the beginning of a line, as people and programs write it; the value alone behind it. */
const writtenName = /^[ \t]*(["']?)workspace\1[ \t]*:[ \t]*(["']?)([a-z0-9-]+)\2[ \t]*(?:,|#.*)?\r?$/m

/** Whose configuration a text is, even an invalid one: what is kept of a workspace must not depend on its files. */
export const workspaceNameIn = (file: string, text: string): string | undefined => {
  const { value } = parseDocument(file, text)
  const found = isObject(value) ? value['workspace'] : writtenName.exec(text)?.[3]
  const name = workspaceId.safeParse(found)
  return name.success ? name.data : undefined
}
