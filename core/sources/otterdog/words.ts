import { diagnostics, said } from '../../engine/values/diagnose.ts'
import { firstOf } from '../../engine/values/texts/shorten.ts'

export const say = diagnostics({
  noOrganisation: () =>
    said('this is no organisation file of Otterdog', 'write { project_name, github_id, settings, ... }'),
  badPattern: (pattern: string) =>
    said(`${pattern} is no pattern that can be used`, 'write a regular expression without looking around or back'),
  ofConfigurations: (field: string) =>
    said(
      `${field} names no configuration of code security: it is not checked`,
      'declare each as github_code_security_configuration, with its default_for_new_repos',
    ),
  newerLibrary: (keys: readonly string[]) =>
    said(
      `the library is newer than the format that is known here: ${firstOf(keys, 5)} ${keys.length === 1 ? 'has its' : 'have their'} default and ${keys.length === 1 ? 'is' : 'are'} not compared`,
      'nothing; a later version may know more',
    ),
  notDone: (field: string) => said(`${field} is not supported: it has no effect`, 'nothing, or do it by hand'),
})

/** A problem that several repositories have. */
export const inRepositories = (message: string, names: readonly string[]): string =>
  `${message} (in ${names.length} repositories: ${firstOf(names, 3)})`
