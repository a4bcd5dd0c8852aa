import canonicalize from 'canonicalize'

/** The RFC 8785 spelling of a JSON value. Members that are `undefined` are left out. */
export const canonicalJson = (value: unknown): string => canonicalize(value) ?? 'null'
