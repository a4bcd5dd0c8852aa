import { digestOfText } from '../json/digest.ts'

/** Two different branches never have the same `slug`, however they are spelled. */
export interface PreviewNames {
  readonly id: string
  readonly branch: string
  /** Lower case letters, digits and single hyphens, at most 32 characters. */
  readonly slug: string
  /** The slug with capitals and underscores, for systems that do not allow hyphens. */
  readonly key: string
}

const longestSlug = 32
/** The name of a workspace has at most 63 characters. */
const longestName = 63
const hashLength = 8
const between = '--'

const likeHashed = /^$|(^|-)[0-9a-f]{8}$/

/** A longer name would leave too few characters for the branch. */
export const longestBase = longestName - between.length - 12

/**
 * A branch that is not written like a slug, is too long, or is written like a slug with a hash, gets a hash of its name, so that
 * no two branches have the same slug.
 */
const slugOf = (branch: string, most: number): string => {
  const plain = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  if (plain === branch && plain.length <= most && !likeHashed.test(plain)) return plain
  const hash = digestOfText(branch).slice('sha256:'.length, 'sha256:'.length + hashLength)
  const cut = plain.slice(0, most - hashLength - 1).replace(/-$/, '')
  return cut === '' ? hash : `${cut}-${hash}`
}

/**
 * `acme-dns` and `feature/login`: `acme-dns--feature-login-5c2f9a01`. A slug never has two hyphens in a row, so
 * `baseIn` can find the base.
 */
export const previewNames = (base: string, branch: string): PreviewNames => {
  const slug = slugOf(branch, Math.min(longestSlug, longestName - between.length - base.length))
  return { id: `${base}${between}${slug}`, branch, slug, key: slug.toUpperCase().replaceAll('-', '_') }
}

/** The base of a preview, from the preview's name. */
export const baseIn = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf(between)))
