import { dirname, relative, resolve } from 'node:path'
import { type ProviderReport, renderProviderReport } from '#core'
import type { Context, Exit } from '../../context.ts'
import type { Host } from '../../process/host.ts'
import { isAddress, readText } from '../../terminal/read-text.ts'
import { command, option } from '../command.ts'

/** The document names files relative to itself. */
const besideDocument = (document: string, named: string, { folder }: Host): string =>
  isAddress(named) ? named : relative(folder, resolve(folder, dirname(document), named))

const exitOf = ({ findings, uncompared }: ProviderReport): Exit => {
  if (findings.some(({ severity }) => severity === 'error')) return 1
  if (findings.length > 0) return 2
  return uncompared.length > 0 ? 3 : 0
}

const check = async (
  { host, output }: Context,
  file: string,
  { against }: { readonly against?: string },
): Promise<Exit> => {
  const { checkProvider, describedBy } = await import('#authoring')
  const document = await readText(file, host)
  const named = describedBy(document)
  const from = against ?? (named === undefined ? undefined : besideDocument(file, named, host))
  const report = checkProvider(document, from === undefined ? undefined : await readText(from, host))
  output.answer(report, () => renderProviderReport(report, { color: output.color }))
  return exitOf(report)
}

export const providerCheckCommand = command({
  name: 'provider check',
  example: 'plumbline provider check acme.provider.yaml --against openapi.json',
  summary: 'check a provider document',
  description:
    'Reports every mistake in a provider document at its place, and compares the document with an OpenAPI description of the API: Swagger 2.0, OpenAPI 3.0 or 3.1, JSON or YAML. A disagreement is a warning, because either side may be wrong. Sends nothing to a target.\nExit codes: 0 no findings, 1 errors, 2 warnings, 3 something could not be compared.',
  argument: ['<document>', 'the provider document'],
  options: [option('--against <file|url>', 'the API description (default: the one that provider.openapi names)')],
  run: check,
})
