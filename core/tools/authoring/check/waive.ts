import type { Problem } from '../../../engine/schema/issue.ts'
import type { Path } from '../../../engine/schema/json.ts'
import type { RestSettings } from '../../../providers/rest/document/api/provider.ts'
import { pathOf } from '../../../providers/rest/document/shared/template.ts'
import { say } from './words.ts'

type Waiver = NonNullable<RestSettings['waive']>[number]

/** A warning that the document answers, with its reason. */
interface Waived {
  readonly warning: Problem
  readonly reason: string
}

interface Weighed<Warning> {
  readonly warnings: readonly (Warning | Problem)[]
  readonly waived: readonly Waived[]
}

/** Warnings that the document waives, and the others; a waiver that meets none is a warning itself. */
export const waiveWarnings = <Warning extends Problem>(
  waive: readonly Waiver[],
  warnings: readonly Warning[],
): Weighed<Warning> => {
  const waiverOf = (warning: Warning): Waiver | undefined => waive.find((waiver) => covers(waiver, warning))
  const waived = warnings.flatMap((warning): Waived[] => {
    const waiver = waiverOf(warning)
    return waiver === undefined ? [] : [{ warning, reason: waiver.reason }]
  })
  const left = warnings.filter((warning) => waiverOf(warning) === undefined)
  const idle = waive.flatMap((waiver, index) =>
    warnings.some((warning) => waiverOf(warning) === waiver)
      ? []
      : [{ path: ['provider', 'waive', index], ...say('waivesNothing', waiver.warning) }],
  )
  return { warnings: [...left, ...idle], waived }
}

const covers = ({ warning, at }: Waiver, { code, path }: Problem): boolean =>
  code === warning && isInside(path, pathOf(at))

const isInside = (path: Path, outer: Path): boolean =>
  outer.every((step, index) => String(path[index]) === String(step))
