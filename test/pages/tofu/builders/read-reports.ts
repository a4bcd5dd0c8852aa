import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildTofuReport } from '../../../../core/pages/tofu/compat/build-report.ts'
import { renderTofuReport, type TofuRenderOptions } from '../../../../core/pages/tofu/compat/render/render-report.ts'
import type { TofuCompat, TofuReport } from '../../../../core/pages/tofu/compat/report.ts'
import type { TofuMode } from '../../../../core/pages/tofu/read/shapes.ts'
import { readParts } from './read-parts.ts'

/** OpenTofu's golden pages stand beside the repository and are never copied into it. */
export const goldenFolder = join(import.meta.dirname, '../../../../../shared/conformance/opentofu')

export interface Golden {
  readonly name: string
  readonly what: 'plan' | 'state'
  readonly source: string
  readonly schemas: string
  readonly page: string
}

export const goldens: readonly Golden[] = existsSync(goldenFolder)
  ? readdirSync(goldenFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) =>
        (['plan', 'state'] as const).map((what) => ({
          name,
          what,
          source: join(goldenFolder, name, `${what}.json`),
          schemas: join(goldenFolder, name, 'schemas.json'),
          page: join(goldenFolder, name, `${what}.txt`),
        })),
      )
      .filter(({ source, page }) => existsSync(source) && existsSync(page))
  : []

export const readPage = (
  value: unknown,
  {
    schemas,
    mode,
    compat,
  }: {
    readonly schemas?: unknown
    readonly mode?: TofuMode | undefined
    readonly compat?: TofuCompat | undefined
  } = {},
): TofuReport => {
  const parts = readParts(value, schemas)
  return buildTofuReport(parts.document, { schemas: parts.schemas, mode, compat })
}

export const pageOf = (value: unknown, options: Parameters<typeof readPage>[1] & TofuRenderOptions = {}): string =>
  renderTofuReport(readPage(value, options), options)

export const goldenPage = ({ source, schemas }: Golden, withSchemas: boolean): string =>
  pageOf(readFileSync(source), withSchemas ? { schemas: readFileSync(schemas) } : {})

/** Schemas of one provider with one resource type, `thing`. */
export const schemasWith = (block: object) => ({
  format_version: '1.0',
  provider_schemas: { p: { resource_schemas: { thing: { block } }, data_source_schemas: { thing: { block } } } },
})

/** One entry of a plan, of the type `thing`. */
export const entry = (change: object, more: object = {}) => ({
  address: 'thing.a',
  mode: 'managed',
  type: 'thing',
  name: 'a',
  provider_name: 'p',
  change: { before: null, after: null, after_unknown: {}, before_sensitive: {}, after_sensitive: {}, ...change },
  ...more,
})

export const planOf = (entries: readonly object[], more: object = {}) => ({
  format_version: '1.2',
  resource_changes: entries,
  ...more,
})
