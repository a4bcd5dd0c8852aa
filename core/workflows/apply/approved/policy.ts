import type { Command } from '../../../schema/command.ts'
import type { Policy } from '../../../schema/rules.ts'

/** Why the policy refuses these commands; `undefined` when it does not. Policies speak in grades, never in resource types. */
export const refusal = (commands: readonly Command[], policy: Policy): string | undefined => {
  const { maxChanges, allowGrades } = policy
  if (maxChanges !== undefined && commands.length > maxChanges) {
    return `${commands.length} commands are more than maxChanges ${maxChanges}`
  }
  const graded = allowGrades && commands.find((command) => !allowGrades.includes(command.grade))
  return graded && `${graded.id} is ${graded.grade}, and allowGrades has ${allowGrades.join(', ') || 'nothing'}`
}
