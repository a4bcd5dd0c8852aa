import { valueAt } from '../../engine/json/pointer.ts'
import type { Diagnostic } from '../../engine/schema/issue.ts'
import type { Json, Path } from '../../engine/schema/json.ts'
import { inRepositories } from './words.ts'

interface Placed {
  readonly path: Path
  readonly diagnostic: Diagnostic
}

/** Problems of several repositories that say the same become one, at the place of the first, with their names. */
export const groupAlike = <Told extends Placed>(value: Json, told: readonly Told[]): readonly Told[] =>
  [...Map.groupBy(told, (each, index) => (each.path[0] === 'repositories' ? kindOf(each) : index)).values()].flatMap(
    (group) => {
      const [first] = group
      const names = [...new Set(group.map(({ path }) => repositoryOf(value, path)))]
      if (first === undefined || names.length < 2) return group
      const { value: shown, ...diagnostic } = first.diagnostic
      const isOne = group.every((each) => each.diagnostic.value === shown)
      const message = inRepositories(anywhere(diagnostic.message), names)
      return [
        { ...first, diagnostic: { ...diagnostic, ...(isOne && shown !== undefined && { value: shown }), message } },
      ]
    },
  )

/** The same for problems that differ only in where they are, or in the number of a place. */
const kindOf = ({ path, diagnostic: { code, message, fix } }: Placed): string =>
  JSON.stringify([code, anywhere(message), fix, path.map((step) => (typeof step === 'number' ? 0 : step))])

const anywhere = (message: string): string => message.replaceAll(/\[\d+\]/g, '[*]')

const repositoryOf = (value: Json, [list, index]: Path): string => {
  const name = valueAt(value, [list ?? '', index ?? 0, 'name'])
  return typeof name === 'string' ? name : `number ${index}`
}
