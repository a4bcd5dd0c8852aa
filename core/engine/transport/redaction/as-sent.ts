/**
 * The cause of an error whose detail shows what a server sent in another form, as the parser of URLs writes it: a secret would not be
 * found there. `sent` is what the server sent; `otherwise` is the detail if that has a secret.
 */
export class AsSent extends Error {
  readonly sent: string
  readonly otherwise: string

  constructor(sent: string, otherwise: string) {
    super(otherwise)
    this.name = 'AsSent'
    this.sent = sent
    this.otherwise = otherwise
  }
}

/** The first of its kind among the causes of an error. */
export const asSentIn = (error: unknown): AsSent | undefined => {
  let cause = error
  for (let depth = 0; cause instanceof Error && depth <= 8; depth += 1) {
    if (cause instanceof AsSent) return cause
    ;({ cause } = cause)
  }
  return undefined
}
