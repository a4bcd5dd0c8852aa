import type { Plan } from '../../core/engine/schema/stored/plan.ts'
import type { Apply } from '../../core/engine/schema/stored/records.ts'
import type { Mishap } from './steps.ts'

/* Words of stories. */

export const describePlan = ({ changes, unchecked, inSync, commands }: Plan): string => {
  if (inSync) return 'in sync'
  const said = [
    ...changes.map(
      ({ action, address, blocked }) => `${action} ${address}${blocked ? ` (blocked: ${blocked.reason})` : ''}`,
    ),
    ...unchecked.map(({ address, reason, detail }) => `${address} unchecked (${reason}: ${detail})`),
  ]
  return `${said.length === 0 ? 'nothing to say, and not in sync' : said.join('; ')}; ${commands.length} commands`
}

export const describeApply = ({ status, error }: Apply): string =>
  `${status}${error === undefined ? '' : `, ${error.message}`}`

export const describeMishap = (mishap: Mishap): string => {
  switch (mishap.kind) {
    case 'none':
      return 'apply'
    case 'lost':
      return `apply, and the answer of command ${mishap.n} is lost`
    case 'late':
      return 'apply what a check showed, though somebody is faster'
    case 'meddle':
      return `apply, and somebody acts after command ${mishap.n}`
    case 'crash': {
      const next = {
        again: 'the same apply is run again',
        anew: 'then a new check and apply',
        nothing: 'and that is all',
      }
      return `apply, with a death of the worker; ${next[mishap.next]}`
    }
  }
}
