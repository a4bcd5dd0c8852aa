import { diagnostics, said } from '../../engine/values/diagnose.ts'

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
  notDone: (field: string) => said(`${field} is not supported: it has no effect`, 'nothing, or do it by hand'),
})
