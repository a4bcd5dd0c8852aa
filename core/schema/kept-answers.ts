import type { Response } from './command.ts'

/** An answer of an earlier read, and the ETag by which its server says whether it is still valid. */
export interface KeptAnswer {
  readonly etag: string
  readonly response: Response
}

/** Answers of earlier runs, by the digest of everything that they depend on. They may be lost at any time. */
export interface KeptAnswers {
  find(key: string): Promise<KeptAnswer | undefined>
  keep(key: string, answer: KeptAnswer): Promise<void>
}
