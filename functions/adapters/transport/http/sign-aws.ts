import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { type AwsSigning, defined } from '#core'

export interface Signed {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

type Bytes = string | ArrayBuffer | ArrayBufferView

const bytesOf = (data: Bytes): string | Uint8Array => {
  if (typeof data === 'string') return data
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}

/** The hash in the form that the signer needs: with a secret it is an HMAC. */
class Sha256 {
  readonly #begin: () => Hash | Hmac
  #hash: Hash | Hmac

  constructor(secret?: Bytes) {
    this.#begin = () => (secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret)))
    this.#hash = this.#begin()
  }

  update(data: Bytes): void {
    this.#hash.update(bytesOf(data))
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {
    this.#hash = this.#begin()
  }
}

export const signAws = async (
  { region, service, ...credentials }: AwsSigning,
  { method, url, headers, body }: Signed,
  signingDate: Date,
): Promise<Headers> => {
  // Every service except S3 signs a path that is encoded once more:
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
  const signer = new SignatureV4({ region, service, credentials, sha256: Sha256, uriEscapePath: service !== 's3' })
  const signed = await signer.sign(
    {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: queryOf(url),
      headers: { ...Object.fromEntries(headers), host: url.host },
      ...defined({ body: body === null ? undefined : body }),
    },
    { signingDate },
  )
  // The sender writes the host header itself.
  const { host: _, ...rest } = signed.headers
  return new Headers(rest)
}

const queryOf = ({ searchParams }: URL): Record<string, string[]> =>
  Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]))
