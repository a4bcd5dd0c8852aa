import { generateKeyPairSync } from 'node:crypto'

const generate = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })

const known: ReturnType<typeof generate>[] = []

/** The keys of the nth app of a GitHub, made once for each process: that takes longer than most of what is asked with them. */
export const keyPair = (nth: number): ReturnType<typeof generate> => (known[nth] ??= generate())
