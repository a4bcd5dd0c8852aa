import { diagnostics, said } from '../../../../engine/values/diagnose.ts'

export const say = diagnostics({
  'DUP-1': (name: string, first: string) =>
    said(`${JSON.stringify(name)} is declared a second time (first at ${first})`, 'remove one of the two'),
  'DUP-2': (name: string, first: string) =>
    said(
      `the former name ${JSON.stringify(name)} is in use (at ${first})`,
      'remove the alias, or rename the other one',
    ),
})
