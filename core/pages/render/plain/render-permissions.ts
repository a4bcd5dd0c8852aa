import type { PermissionReport, ProviderPermissions } from '../../../engine/schema/reports/permission-report.ts'
import { firstOf } from '../../../engine/values/texts/shorten.ts'
import { padEnd, widest } from '../characters/measure.ts'
import { type Palette, palette } from '../characters/palette.ts'
import { visible } from '../characters/visible.ts'
import type { PrintOptions } from './render-commands.ts'

const none = '-'
const head = ['permission', 'check', 'apply', 'types'] as const
const shownTypes = 6

/** A table for each provider: what a check needs, and what an apply needs. */
export const renderPermissions = ({ providers }: PermissionReport, { color }: PrintOptions = {}): string => {
  const paint = palette(color)
  const blocks = providers.map((provider) => providerText(provider, paint))
  return blocks.length === 0 ? 'no resources: nothing is needed\n' : `${blocks.join('\n\n')}\n`
}

const providerText = ({ provider, permissions, unknown }: ProviderPermissions, paint: Palette): string => {
  const rows = permissions.map(({ permission, check = none, apply = none, types }) =>
    [permission, check, apply, firstOf(types, shownTypes)].map(visible),
  )
  const widths = head.map((title, column) => widest([title, ...rows.map((row) => row[column] ?? '')]))
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, column) => padEnd(cell, widths[column] ?? 0)).join('  ')}`.trimEnd()
  return [
    paint.bold(visible(provider)),
    ...(rows.length === 0 ? [] : [paint.dim(line(head)), ...rows.map(line)]),
    ...(unknown.length === 0 ? [] : [`  ${paint.yellow('not known')} for ${visible(firstOf(unknown, shownTypes))}`]),
  ].join('\n')
}
