import { isArray, isObject, type Json } from '../schema/json.ts'
import type { ImportRule } from '../schema/rules.ts'
import { canonicalAddress } from '../values/addresses/address.ts'
import { suggest } from '../values/texts/nearest-word.ts'
import type { LoadedResources } from './load-resources.ts'
import type { Frame } from './references/frame.ts'
import type { Scope } from './references/resolution.ts'
import { createResolver } from './references/resolve-values.ts'
import { say } from './shared/words.ts'

interface ImportContext extends Pick<LoadedResources, 'resources' | 'disabled'> {
  readonly scope: Scope
  readonly frame: Frame
}

/** Each object and each resource may occur once. The ids are checked against the types later. */
export const loadImports = (
  written: Json | undefined,
  { resources, disabled, scope, frame }: ImportContext,
): readonly ImportRule[] => {
  const { report, locate } = frame
  const resolver = createResolver(scope)
  const declared = new Set(resources.map(({ address }) => address))
  const known = new Set<string>()
  return (isArray(written) ? written : []).flatMap((each, index) => {
    if (!isObject(each) || typeof each['to'] !== 'string' || !isObject(each['id'])) return []
    const { to, id } = { to: canonicalAddress(each['to']), id: each['id'] }
    const [atTo, atId] = [
      ['import', index, 'to'],
      ['import', index, 'id'],
    ]
    if (disabled.has(to)) return []
    if (!declared.has(to)) report(atTo, say('noResource', to, suggest(to, declared)))
    else if (known.has(to)) report(atTo, say('importsTwice', to))
    else if (Object.keys(id).length === 0) report(atId, say('importsNothing', to))
    known.add(to)
    return [{ to, id: resolver.members(frame, id, atId), position: locate(atId) }]
  })
}
