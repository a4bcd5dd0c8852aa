import { uncoded as said } from '../../engine/values/diagnose.ts'

/** All sentences about configuring the provider. */

/** Why it cannot be configured with an entry. */
export const refusals = {
  ownDefinition: (alias: string) =>
    said(
      `the provider "${alias}" brings its own provider document`,
      'remove definition, or write source: rest for a document of your own',
    ),
}
