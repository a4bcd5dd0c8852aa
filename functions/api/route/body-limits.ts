/**
 * Bytes of a body as it is sent. Lambda takes 6 MB of an event, in which packed bytes are written in Base64.
 * https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maxSentBytes = 4_000_000
const defaultMaxBytes = 64_000

/** In bytes. */
export interface BodyLimits {
  readonly sent: number
  readonly unpacked: number
}

/** `maxBytes` is the limit of the text. */
export const bodyLimits = (maxBytes = defaultMaxBytes): BodyLimits => ({
  sent: Math.min(maxSentBytes, maxBytes),
  unpacked: maxBytes,
})
