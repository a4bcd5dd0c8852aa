import type { Diagnostic } from '../../schema/issue.ts'

/** The sentences of this folder. */

const said = (message: string, fix: string): Omit<Diagnostic, 'code'> => ({ message, fix })

export const refusals = {
  form: (alias: string) =>
    said(`provider ${alias} names no package with an exact version`, 'write `npm:@acme/plumbline-provider@1.2.3`'),
  notHere: (alias: string) =>
    said(
      `provider ${alias} is a package, and packages run only with the command, on a machine of your own`,
      'use `rest` or `machine` for a workspace that is checked on AWS, or check this one with `plumbline check`',
    ),
  notAllowed: (alias: string, name: string) =>
    said(
      `provider ${alias}: the package ${name} is not allowed on this machine`,
      `if you trust it, name it in the variable PLUMBLINE_PROVIDERS: \`PLUMBLINE_PROVIDERS=${name}\``,
    ),
  missing: (alias: string, name: string, version: string) =>
    said(
      `provider ${alias}: the package ${name} is not installed`,
      `run \`npm install --save-exact ${name}@${version}\``,
    ),
  unusable: (alias: string, detail: string) => said(`provider ${alias}: ${detail}`, 'ask the author of the package'),
  version: (alias: string, found: string) =>
    said(
      `provider ${alias}: another version of the package is installed, ${found}`,
      'install the version that is named',
    ),
  noIntegrity: (alias: string, found: string) =>
    said(`provider ${alias} has no "integrity"`, `read the package; if you trust it, write \`integrity: ${found}\``),
  integrity: (alias: string, found: string) =>
    said(
      `provider ${alias}: the package is not the one that was reviewed; its integrity is ${found}`,
      'install the package again; write the new integrity only after you have read what changed',
    ),
  baseUrls: (alias: string) =>
    said(`provider ${alias} has no valid "baseUrls"`, 'name the http or https URLs that its requests may go to'),
  failed: (alias: string, detail: string) =>
    said(`provider ${alias}: ${detail}`, 'correct "with", or ask the author of the package'),
  ownMember: (alias: string, member: string) =>
    said(`provider ${alias}: "${member}" belongs to packages`, 'remove it, or name a package: `source: npm:...`'),
}

export const answers = {
  invalid: (op: string, detail: string) => `${op} answered an invalid value: ${detail}`,
  url: (url: string) => `the URL ${url} is outside of "baseUrls"`,
}
