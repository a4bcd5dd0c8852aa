import { AppError } from '#core'

interface Range {
  readonly type: string
  readonly quality: number
}

const parse = (header: string): readonly Range[] =>
  header
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim().toLowerCase()))
    .filter(([type]) => type !== undefined && type !== '')
    .map(([type = '', ...parameters]) => {
      const given = parameters.find((parameter) => /^q\s*=/.test(parameter))
      const quality = given === undefined ? 1 : Number(given.slice(given.indexOf('=') + 1))
      return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 }
    })

/** Returns the quality of a type: the most specific range that matches it decides (RFC 9110, 12.5.1). */
const qualityOf = (offer: string, ranges: readonly Range[]): number => {
  const [group] = offer.split('/')
  for (const type of [offer, `${group}/*`, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === type)
    if (range !== undefined) return range.quality
  }
  return 0
}

/**
 * Returns the offer that Accept prefers, the earlier one of two equal ones; throws NOT_ACCEPTABLE if it accepts none.
 */
export const negotiate = (accept: string | undefined, offers: readonly string[]): string => {
  const ranges = parse(accept ?? '*/*')
  const usable = ranges.length === 0 ? parse('*/*') : ranges
  const ranked = offers
    .map((offer) => ({ offer, quality: qualityOf(offer, usable) }))
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
  const [best] = ranked
  if (best === undefined) throw new AppError('NOT_ACCEPTABLE', { detail: `there are: ${offers.join(', ')}` })
  return best.offer
}

export const takesGzip = (acceptEncoding: string | undefined): boolean => {
  const ranges = parse(acceptEncoding ?? '')
  const range = ranges.find(({ type }) => type === 'gzip') ?? ranges.find(({ type }) => type === '*')
  return range !== undefined && range.quality > 0
}
