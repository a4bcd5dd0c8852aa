/*
 * What outlives a trip to the issuer and back, in this tab alone. A token is never kept: a reload asks the issuer again, which
 * knows its reader.
 */

const prefix = 'plumbline.'

/** A value of JSON that was kept in this tab; `undefined` if there is none, or if it cannot be read. */
export const kept = <Value>(name: string): Value | undefined => {
  try {
    const text = sessionStorage.getItem(prefix + name)
    return text === null ? undefined : (JSON.parse(text) as Value)
  } catch {
    // The browser may keep nothing for this page; then it works without.
    return undefined
  }
}

/** Forgets all that was kept, as when somebody signs out. */
export const forgetKept = (): void => {
  try {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name)
  } catch {
    // Then nothing was kept.
  }
}

export const keep = (name: string, value: unknown): void => {
  try {
    if (value === undefined) sessionStorage.removeItem(prefix + name)
    else sessionStorage.setItem(prefix + name, JSON.stringify(value))
  } catch {
    // Then a draft is lost with the tab, and nothing else.
  }
}
