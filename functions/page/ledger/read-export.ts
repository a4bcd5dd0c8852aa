import type { ApiAnswer, PageApi } from '../data/api.ts'

const ndjson = 'application/x-ndjson'

/** The whole ledger as it is exported, part by part. `told` gets the number of bytes so far. */
export const readExport = async (
  api: PageApi,
  workspace: string,
  told: (characters: number) => void,
): Promise<ApiAnswer<string>> => {
  const path = `/workspaces/${encodeURIComponent(workspace)}/ledger/export`
  const parts: string[] = []
  let length = 0
  for (let query: Record<string, string> = {}; ; ) {
    const answered = await api.call<string>(path, { accept: ndjson, query })
    if (!answered.ok) return answered
    parts.push(answered.value)
    length += answered.value.length
    told(length)
    if (answered.next === undefined) return { ...answered, value: parts.join('') }
    query = Object.fromEntries(new URLSearchParams(answered.next))
  }
}
