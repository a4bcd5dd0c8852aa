import { type ProseText, visible } from '../../../core/pages/render/draw.ts'

/** Our own words, with texts of others between them, which are marked as such. */
export const Prose = ({ of }: { readonly of: ProseText }) => (
  <>{of.map((part, n) => (typeof part === 'string' ? part : <code key={n}>{visible(part.foreign)}</code>))}</>
)
