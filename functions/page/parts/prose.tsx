import { type ProseText, visible } from '../../../core/pages/render/draw.ts'
import { Dated } from './time.tsx'

/** Our own words, with texts of others between them, which are marked as such. */
export const Prose = ({ of }: { readonly of: ProseText }) => (
  <>
    {of.map((part, n) =>
      typeof part === 'string' ? (
        part
      ) : (
        <code key={n}>
          <Dated text={visible(part.foreign)} />
        </code>
      ),
    )}
  </>
)
