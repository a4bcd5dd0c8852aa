import { useEffect, useRef, useState } from 'preact/hooks'
import { useReader } from '../data/context.ts'
import { readExport } from './read-export.ts'
import { StepView, type VerifyStep } from './verdict.tsx'
import { headIn, verifyHere, whyNoExport } from './verify-here.ts'

const save = (text: string, name: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Verifies the exported chain with code of this page: the server that keeps the ledger is not asked whether it is intact. */
export const Verification = ({ workspace }: { readonly workspace: string }) => {
  const { api } = useReader()
  const [pasted, setPasted] = useState('')
  const [step, setStep] = useState<VerifyStep>({ kind: 'asking' })
  const [text, setText] = useState<string>()
  const head = headIn(pasted)
  const isUnclear = pasted.trim() !== '' && head === undefined
  const isBusy = step.kind === 'reading' || step.kind === 'verifying' || isUnclear
  const round = useRef(0)
  /** What is said belongs to the head and the text that it began with: whatever is changed since then silences it. */
  const begin = (first: VerifyStep) => {
    round.current += 1
    const mine = round.current
    setStep(first)
    return (next: VerifyStep) => {
      if (mine === round.current) setStep(next)
    }
  }
  const verify = async (given: string, from: string, say: (step: VerifyStep) => void) => {
    const detail = whyNoExport(given)
    if (detail !== undefined) return say({ kind: 'no_export', from, detail })
    const told = (entries: number) => say({ kind: 'verifying', entries })
    const verdict = await verifyHere(given, { workspace, head, told })
    say({ kind: 'done', verdict, workspace, head, from })
  }
  const start = async () => {
    const say = begin({ kind: 'reading', characters: 0 })
    const answered = await readExport(api, workspace, (characters) => say({ kind: 'reading', characters }))
    if (!answered.ok) return say({ kind: 'failed', problem: answered.problem })
    setText(answered.value)
    await verify(answered.value, 'the endpoint', say)
  }
  const startWithFile = async (file: File | undefined) => {
    if (file === undefined) return begin({ kind: 'asking' })
    const say = begin({ kind: 'verifying', entries: 0 })
    const given = await file.text().catch(() => undefined)
    if (given === undefined) return say({ kind: 'no_export', from: file.name, detail: 'the browser cannot read it' })
    await verify(given, file.name, say)
  }
  useEffect(() => void start(), [])
  return (
    <section class="verification" aria-label="Verification">
      <label class="field">
        A head from an alert, an anchor or an earlier verdict
        <textarea
          rows={2}
          spellcheck={false}
          value={pasted}
          placeholder="12:sha256:…"
          onInput={({ currentTarget: { value } }) => {
            setPasted(value)
            begin({ kind: 'asking' })
          }}
        />
      </label>
      {isUnclear && <p class="note warn">This is not one head: the number of an entry, and its sha256.</p>}
      <div class="bar">
        <button type="button" class="main" disabled={isBusy} onClick={() => void start()}>
          Verify{head === undefined ? '' : head.seq === undefined ? ' with this hash' : ` with entry ${head.seq}`}
        </button>
        <label class="choice">
          or an exported file{' '}
          <input
            type="file"
            accept=".ndjson,.jsonl,.txt,application/x-ndjson"
            disabled={isBusy}
            onClick={({ currentTarget }) => {
              // The same file can be chosen again, with another head.
              currentTarget.value = ''
              begin({ kind: 'asking' })
            }}
            onChange={({ currentTarget: { files } }) => void startWithFile(files?.[0])}
          />
        </label>
        {text !== undefined && (
          <button type="button" class="quiet" onClick={() => save(text, `${workspace}-ledger.ndjson`)}>
            Save the export
          </button>
        )}
      </div>
      <div role="status">
        <StepView step={step} />
      </div>
    </section>
  )
}
