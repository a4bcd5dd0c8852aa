import type { Listed, UnlistedPlace } from '../../../engine/provider/listing.ts'
import type { ReadDeps, Target } from '../../../engine/provider/provider.ts'
import type { JsonObject } from '../../../engine/schema/json.ts'
import { sectionNames } from '../../../engine/values/text-parts/section.ts'
import { parseText } from '../../../engine/values/text-parts/text-file.ts'
import { askText, placeFor } from '../shared/ask.ts'
import type { MachineScope } from '../shared/scope.ts'

export const listProfiles = async (machine: MachineScope, scope: readonly Target[], deps: ReadDeps) => {
  const pairs = new Map<string, JsonObject>()
  for (const each of [...scope.map(({ attributes }) => attributes), {}] as readonly JsonObject[]) {
    const files = {
      credentialsFile: each['credentialsFile'] ?? '.aws/credentials',
      configFile: each['configFile'] ?? '.aws/config',
    }
    pairs.set(JSON.stringify(files), files)
  }
  const objects: Listed[] = []
  const unlisted: UnlistedPlace[] = []
  for (const files of pairs.values()) {
    const names = new Set<string>()
    for (const [member, file] of Object.entries(files)) {
      const place = placeFor(machine, file)
      const asked = 'kind' in place ? place : await askText(place, deps)
      if (asked.kind === 'unknown')
        unlisted.push({ within: { [member]: file }, reason: asked.reason, detail: asked.detail })
      if (asked.kind !== 'text') continue
      for (const section of sectionNames(parseText(asked.text))) {
        const name = member === 'credentialsFile' ? section : nameIn(section)
        if (name !== undefined) names.add(name)
      }
    }
    for (const name of names) objects.push({ identity: { name, ...files } })
  }
  return { kind: 'listed' as const, objects, unlisted }
}

/** Other sections of the configuration, such as `[sso-session x]`, are no profiles. */
const nameIn = (section: string): string | undefined =>
  section === 'default' ? section : /^profile\s+(\S.*)$/.exec(section)?.[1]
