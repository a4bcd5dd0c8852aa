import { isObject } from '../../schema/json.ts'
import { workspaceId } from '../../schema/stored/records.ts'
import { parseDocument } from '../syntax/parse-document.ts'

/** Matches the key at the start of a line; group 3 is the value. */
const writtenName = /^[ \t]*(["']?)workspace\1[ \t]*:[ \t]*(["']?)([a-z0-9-]+)\2[ \t]*(?:,|#.*)?\r?$/m

/** Works on invalid texts too, because access to stored data must not depend on valid files. */
export const workspaceNameIn = (file: string, text: string): string | undefined => {
  const { value } = parseDocument(file, text)
  const found = isObject(value) ? value['workspace'] : writtenName.exec(text)?.[3]
  const name = workspaceId.safeParse(found)
  return name.success ? name.data : undefined
}
