import { dirname, relative, resolve } from 'node:path'
import { type ProviderReport, renderProviderReport } from '#core'
import type { Exit } from '../../context.ts'
import type { Host } from '../../process/host.ts'
import { groupOf, type Register, type Run } from '../command.ts'
import { isAddress, readText } from './read-text.ts'

export const providerSummary = 'write and check provider documents'

/** What the document names is a path beside it. */
const besideDocument = (document: string, named: string, { folder }: Host): string =>
  isAddress(named) ? named : relative(folder, resolve(folder, dirname(document), named))

/** docs/cli.md: 1 it cannot be used, 2 something differs, 3 something could not be compared. */
const exitOf = ({ findings, uncompared }: ProviderReport): Exit => {
  if (findings.some(({ severity }) => severity === 'error')) return 1
  if (findings.length > 0) return 2
  return uncompared.length > 0 ? 3 : 0
}

const check =
  (file: string, { against }: { readonly against?: string }): Run =>
  async ({ host, output }) => {
    const { checkProvider, describedBy } = await import('#authoring')
    const document = await readText(file, host)
    const named = describedBy(document)
    const from = against ?? (named === undefined ? undefined : besideDocument(file, named, host))
    const report = checkProvider(document, from === undefined ? undefined : await readText(from, host))
    output.answer(report, () => renderProviderReport(report, { color: output.color }))
    return exitOf(report)
  }

export const registerProviderCheck: Register = (program, run) => {
  groupOf(program, 'provider', providerSummary)
    .command('check')
    .summary('look for mistakes in a provider document')
    .description(
      'Names every mistake of a provider document at its place and compares it with an OpenAPI description of the API: Swagger 2.0, OpenAPI 3.0 or 3.1, JSON or YAML. Where the two disagree either may be right, so that is a warning. Asks no target. Ends with 0, 1 for errors, 2 for warnings, 3 where something could not be compared.',
    )
    .argument('<document>', 'the provider document')
    .option('--against <file|url>', "the API's description; what the document names under provider.openapi without it")
    .action((file: string, options: { readonly against?: string }) => run(check(file, options)))
}
