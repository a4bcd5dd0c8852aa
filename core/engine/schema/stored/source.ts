import * as z from 'zod'
import { actorShape } from '../actor.ts'
import { baseUrlFault } from '../base-url.ts'
import { optional } from '../described.ts'

const secretReference = z.strictObject({ secret: z.string().min(1).max(2_000) })

/** Git refuses these in the name of a reference: https://git-scm.com/docs/git-check-ref-format */
const isRef = (text: string): boolean => !/[\s\p{Cc}~^:?*[\\]|\.\.|@\{|\/\/|^[/.-]|[/.]$/u.test(text)

const folderOf = (text: string): boolean =>
  !text.includes('\\') && text.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** A token is sent to this URL, so no network in between may be able to read it. It is shown, so it holds no password. */
const isSafe = (text: string): boolean => {
  if (baseUrlFault(text) !== undefined) return false
  const url = new URL(text)
  return (
    url.protocol === 'https:' || (url.protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname))
  )
}

export const githubSourceShape = z.strictObject({
  repository: z
    .string()
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/, 'is not <owner>/<name>')
    .meta({ description: 'For example acme/config.' }),
  ref: z
    .string()
    .min(1)
    .max(255)
    .refine(isRef, 'is not the name of a branch, a tag or a commit')
    .meta({ description: 'A branch, a tag or a commit, for example main.' }),
  path: optional(
    z.string().max(1_000).refine(folderOf, 'is not a folder of the repository, such as workspaces/dns'),
    'The folder of the configuration; the root of the repository when absent.',
  ),
  token: optional(secretReference, 'Reference to a token that may read the contents of the repository.'),
  webhookSecret: optional(secretReference, 'Reference to the secret of the webhook; absent: there is no webhook.'),
  apiUrl: optional(
    z.string().max(500).refine(isSafe, 'is not an https address without ?, #, spaces, a user and a password'),
    'Of GitHub Enterprise Server: https://github.acme.example/api/v3.',
  ),
})
export type GithubSource = z.infer<typeof githubSourceShape>

export const sourceShape = z.strictObject({ github: githubSourceShape })
export type Source = z.infer<typeof sourceShape>

export const storedSourceShape = sourceShape.extend({ at: z.iso.datetime(), by: actorShape })
