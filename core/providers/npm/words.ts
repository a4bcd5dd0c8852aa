import type { Packages } from '../../engine/provider/package.ts'
import type { Diagnostic } from '../../engine/schema/issue.ts'

/** The sentences of this folder. */

type Said = Omit<Diagnostic, 'code'>

const said = (message: string, fix: string): Said => ({ message, fix })

/** What differs between packages of a machine and those of a deployment. */
interface ByOrigin {
  readonly missing: (alias: string, source: string) => Said
  readonly version: (alias: string, source: string, found: readonly string[]) => Said
  readonly integrity: (alias: string, found: string) => Said
}

/** `@acme/plumbline-provider@1.2.3`, as npm names it. */
const inNpm = (source: string): string => source.replace(/^npm:/, '')

const deploy = (source: string): string =>
  `name ${inNpm(source)} in the setting \`packages\` of the deployment, and deploy it; or check this workspace with \`plumbline check\``

const byOrigin: Readonly<Record<Packages['origin'], ByOrigin>> = {
  installed: {
    missing: (alias, source) =>
      said(
        `provider ${alias}: the package ${inNpm(source)} is not installed`,
        `run \`npm install --save-exact ${inNpm(source)}\``,
      ),
    version: (alias, _, found) =>
      said(
        `provider ${alias}: another version of the package is installed, ${found.join(', ')}`,
        'install the version that is named',
      ),
    integrity: (alias, found) =>
      said(
        `provider ${alias}: the package is not the one that was reviewed; its integrity is ${found}`,
        'install the package again; write the new integrity only after you have read what changed',
      ),
  },
  bundled: {
    missing: (alias, source) =>
      said(
        `provider ${alias}: the package ${inNpm(source)} is not bundled with the functions of this deployment`,
        deploy(source),
      ),
    version: (alias, source, found) =>
      said(
        `provider ${alias}: another version of the package is bundled with the functions of this deployment, ${found.join(', ')}`,
        deploy(source),
      ),
    integrity: (alias, found) =>
      said(
        `provider ${alias}: the bundled package is not the one that was reviewed; its integrity is ${found}`,
        'bundle the module that was reviewed (setting `packages` of the deployment); write the new integrity only after you have read what changed',
      ),
  },
}

export const refusals = {
  ...byOrigin,
  form: (alias: string) =>
    said(`provider ${alias} names no package with an exact version`, 'write `npm:@acme/plumbline-provider@1.2.3`'),
  noFolder: (alias: string) =>
    said(
      `provider ${alias} is a package, and the workspace has no folder on this machine to search it in`,
      'check the workspace where its folder is, or use `rest` or `machine`',
    ),
  notAllowed: (alias: string, name: string) =>
    said(
      `provider ${alias}: the package ${name} is not allowed on this machine`,
      `if you trust it, name it in the variable PLUMBLINE_PROVIDERS: \`PLUMBLINE_PROVIDERS=${name}\``,
    ),
  unusable: (alias: string, detail: string) => said(`provider ${alias}: ${detail}`, 'ask the author of the package'),
  noIntegrity: (alias: string, found: string) =>
    said(`provider ${alias} has no "integrity"`, `read the package; if you trust it, write \`integrity: ${found}\``),
  baseUrls: (alias: string) =>
    said(`provider ${alias} has no valid "baseUrls"`, 'name the http or https URLs that its requests may go to'),
  failed: (alias: string, detail: string) =>
    said(`provider ${alias}: ${detail}`, 'correct "with", or ask the author of the package'),
}

export const answers = {
  invalid: (op: string, detail: string) => `${op} answered an invalid value: ${detail}`,
  url: (url: string) => `the URL ${url} is outside of "baseUrls"`,
}
