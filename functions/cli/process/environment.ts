/** Only this file and functions/env.ts read process.env. */

export type Variables = Readonly<Record<string, string | undefined>>

export const readVariables = (): Variables => ({ ...process.env })

/** The AWS SDK and Powertools read these variables themselves; they must be set before a handler is imported. */
export const writeVariables = (variables: Readonly<Record<string, string>>): void => {
  Object.assign(process.env, variables)
}
