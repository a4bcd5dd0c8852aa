import { isObject, type Json } from '../../../core/engine/schema/json.ts'

/**
 * Answers of GitHub that its own description does not allow, seen in its documentation's examples. The stand-in answers as GitHub
 * does; each entry says what the description has wrong.
 */
interface Exception {
  readonly operation: RegExp
  readonly problem: RegExp
}

const exceptions: readonly Exception[] = [
  // A profile that nobody filled in is null; the description knows only texts.
  { operation: /^orgs\/(get|update)$/, problem: /(name|company|blog|location|email) must be string$/ },
  // A homepage that was cleared is an empty text; the description knows only addresses.
  { operation: /^repos\//, problem: /homepage must match format "uri"$/ },
  // The description wants an account to be a person and an enterprise at once.
  { operation: /^apps\/list-installations$/, problem: /\/account must/ },
]

export const isExcepted = (operation: string, problem: string): boolean =>
  exceptions.some((each) => each.operation.test(operation) && each.problem.test(problem))

/** Members that GitHub takes and its description does not name: https://github.com/google/go-github, CreateUpdateEnvironment. */
const undescribed: Readonly<Record<string, readonly string[]>> = {
  'repos/create-or-update-environment': ['can_admins_bypass'],
}

/** What of a body the description has to allow. */
export const describedPart = (operation: string, body: Json | undefined): Json | undefined =>
  isObject(body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => !undescribed[operation]?.includes(name)))
    : body
