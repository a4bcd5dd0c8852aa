/** The page loads nothing but its own files, sends nothing but to this API and the issuer, and cannot be framed. */
const policyOf = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src ${["'self'", ...origins].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const originOf = (address: string): readonly string[] => {
  const url = URL.parse(address)
  return url === null ? [] : [url.origin]
}

/** The headers of the page. It reaches the issuer of the tokens, too, where it signs its readers in. */
export const pageHeaders = (
  signIn: { readonly issuer: string; readonly origins?: readonly string[] | undefined } | undefined,
): Readonly<Record<string, string>> => {
  const origins = new Set([signIn?.issuer ?? '', ...(signIn?.origins ?? [])].flatMap(originOf))
  return {
    'content-security-policy': policyOf([...origins]),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  }
}
