import * as z from 'zod'

/** Characters (UTF-16 units) of a reason. */
const longestReason = 2_000

/** What is wrong with a reason: one of invisible characters is none. */
export const reasonProblem = (text: string): string | undefined => {
  if (!/[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text))
    return 'a reason is required; the ledger stores it'
  return text.length > longestReason ? `a reason has at most ${longestReason} characters` : undefined
}

/** Why somebody does something, for the ledger; at each door where it comes in. */
export const reasonText = z
  .string()
  .trim()
  .superRefine((text, { addIssue }) => {
    const message = reasonProblem(text)
    if (message !== undefined) addIssue(message)
  })
  .meta({ minLength: 1, maxLength: longestReason })
