import { defined, type LedgerFilter, type LedgerPlace, type LedgerVerdict, ledgerLine } from '#core'
import { type Operation, recordsOf } from './backend.ts'
import { pathOf } from './http-client.ts'

interface ExportRequest {
  readonly workspace: string
  readonly filter: LedgerFilter
}

/** Exports the lines of the ledger; without a filter, the last one is its head. */
export const exportLines: Operation<ExportRequest, AsyncIterable<string>> = {
  local: async function* ({ workspace, filter }, local) {
    for await (const part of (await recordsOf(workspace, local)).exportLedger(filter)) yield ledgerLine(part)
  },
  remote: async function* ({ workspace, filter }, { client }) {
    let query: URLSearchParams | undefined = new URLSearchParams({ ...filter })
    while (query !== undefined) {
      const part = await client.getText(`${pathOf(workspace)}/ledger/export`, 'application/x-ndjson', query)
      yield* part.text.split('\n').slice(0, -1)
      query = part.next
    }
  },
}

export interface NotedHead {
  readonly seq: number
  readonly hash: string
}

const headText = ({ seq, hash }: NotedHead): string => `${seq}:${hash}`

interface StoredVerification {
  readonly workspace: string
  /** A head that was verified before; what is older is not read. */
  readonly from?: NotedHead | undefined
}

/** The verdict, after the numbers of the entries up to which all is verified. */
type VerdictInParts = AsyncGenerator<number, LedgerVerdict>

/** Entries between two signs of progress. */
const atOnce = 10_000

export const verifyStored: Operation<StoredVerification, VerdictInParts> = {
  local: async function* ({ workspace, from }, local): VerdictInParts {
    const records = await recordsOf(workspace, local)
    for (let place: LedgerPlace | undefined; ; ) {
      const result = await records.verifyLedgerPart({ from, place, most: atOnce })
      if ('ok' in result) return result
      yield result.verified
      place = result.next
    }
  },
  remote: async function* ({ workspace, from }, { client }): VerdictInParts {
    const head = defined({ from: from && headText(from) })
    for (let cursor: string | undefined; ; ) {
      const query = { ...head, ...defined({ cursor }) }
      const result: LedgerVerdict | { readonly verified: number; readonly next: string } = await client.get(
        `${pathOf(workspace)}/ledger/verify`,
        query,
      )
      if ('ok' in result) return result
      yield result.verified
      cursor = result.next
    }
  },
}
