import { overlaySchema } from '../../../core/engine/config/preview/overlay-shape.ts'
import { moduleSchema } from '../../../core/engine/config/shape/module-shape.ts'
import { configurationSchema } from '../../../core/engine/config/shape/shape.ts'
import { errorTable } from '../../../core/engine/errors/error-table.ts'
import { AppError, type ErrorCode } from '../../../core/engine/errors/errors.ts'
import { errorExamples } from '../../../functions/api/openapi/error-examples.ts'
import { semanticsPage } from '../../semantics/page.ts'
import { document } from './answer-schema.ts'
import { architecturePage } from './architecture.ts'
import { documentSchema } from './document-schema.ts'
import { githubDocument } from './github-document.ts'
import { githubReference } from './github-reference.ts'
import { machineReference } from './machine-reference.ts'
import { providerReference } from './provider-reference.ts'
import { publishedTypes } from './published-types.ts'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const causes = { user: 'usage or configuration', remote: 'the target, AWS or the network', ours: 'Plumbline' } as const

const section = (code: ErrorCode): string => {
  const error = new AppError(code, errorExamples[code])
  const { fault, retryable, status, exit, hint } = error
  const example = error.message.split('\n').map((line) => `    ${line}`)
  return [
    `## ${code}`,
    '',
    ...example,
    '',
    `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
    '',
    `HTTP ${status} · exit code ${exit} · cause: ${causes[fault]} · ${retryable ? 'retryable' : 'not retryable'}`,
    '',
  ].join('\n')
}

const errorPage = (): string =>
  [
    '# Errors',
    '',
    'Every error code with an example message. Generated from the code by `npm run generate`.',
    '',
    ...(Object.keys(errorTable) as ErrorCode[]).toSorted().map(section),
  ].join('\n')

/** Every committed file that is made from the code, by its path. */
export const generated = (): Readonly<Record<string, string>> => ({
  'core/providers/github/document.ts': githubDocument(),
  'docs/architecture.md': architecturePage(),
  'docs/errors.md': errorPage(),
  'docs/github-reference.md': githubReference(),
  'docs/library.d.mts': publishedTypes('functions/library/index.ts'),
  'docs/machine-reference.md': machineReference(),
  'docs/module.schema.json': json(moduleSchema()),
  'docs/openapi.json': json(document),
  'docs/plumbline.schema.json': json(configurationSchema()),
  'docs/preview.schema.json': json(overlaySchema()),
  'docs/provider-reference.md': providerReference(),
  'docs/provider.schema.json': json(documentSchema()),
  'docs/semantics.md': semanticsPage(),
  'docs/testing.d.mts': publishedTypes('core/tools/conformance/index.ts'),
})
