import { diagnostics, said } from '../values/diagnose.ts'

export const say = diagnostics({
  noOrganisation: () =>
    said('this is no organisation file of Otterdog', 'write { project_name, github_id, settings, ... }'),
  badPattern: (pattern: string) =>
    said(`${pattern} is no pattern that can be used`, 'write a regular expression without looking around or back'),
  notDone: (field: string) => said(`${field} is not supported: it has no effect`, 'nothing, or do it by hand'),
})
