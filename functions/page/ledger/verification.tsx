import { useEffect, useState } from 'preact/hooks'
import type { PageProblem } from '../data/api.ts'
import { useReader } from '../data/context.ts'
import { Copy } from '../parts/copy.tsx'
import { ProblemNote } from '../parts/states.tsx'
import { readExport } from './read-export.ts'
import { headIn, verifyHere, whyNoExport } from './verify-here.ts'

type VerifyStep =
  | { readonly kind: 'asking' }
  | { readonly kind: 'reading'; readonly characters: number }
  | { readonly kind: 'verifying'; readonly entries: number }
  | { readonly kind: 'failed'; readonly problem: PageProblem }
  | { readonly kind: 'no_export'; readonly from: string; readonly detail: string }
  | {
      readonly kind: 'done'
      readonly verdict: Awaited<ReturnType<typeof verifyHere>>
      readonly withHead: boolean
      readonly from: string
    }

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
  const verify = async (given: string, from: string) => {
    const detail = whyNoExport(given)
    if (detail !== undefined) return setStep({ kind: 'no_export', from, detail })
    setStep({ kind: 'verifying', entries: 0 })
    const verdict = await verifyHere(given, {
      workspace,
      head,
      told: (entries) => setStep({ kind: 'verifying', entries }),
    })
    setStep({ kind: 'done', verdict, withHead: head !== undefined, from })
  }
  const start = async () => {
    setStep({ kind: 'reading', characters: 0 })
    const answered = await readExport(api, workspace, (characters) => setStep({ kind: 'reading', characters }))
    if (!answered.ok) return setStep({ kind: 'failed', problem: answered.problem })
    setText(answered.value)
    await verify(answered.value, 'the endpoint')
  }
  const startWithFile = async (file: File | undefined) => {
    if (file !== undefined) await verify(await file.text(), file.name)
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
          onInput={({ currentTarget: { value } }) => setPasted(value)}
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

const StepView = ({ step }: { readonly step: VerifyStep }) => {
  if (step.kind === 'asking') return null
  if (step.kind === 'reading') return <p>Reading the export, {Math.ceil(step.characters / 1_000)} kB …</p>
  if (step.kind === 'verifying') return <p>Verifying, {step.entries} entries …</p>
  if (step.kind === 'failed') return <ProblemNote problem={step.problem} />
  if (step.kind === 'no_export')
    return (
      <p class="note warn">
        <b>No export of a ledger</b>, {step.from}: {step.detail}
      </p>
    )
  const { verdict, withHead, from } = step
  if (!verdict.ok)
    return (
      <p class="note bad">
        <b>Not intact</b>, from {from}: entry {verdict.seq}: {verdict.detail}
      </p>
    )
  const head = `${verdict.entries}:${verdict.head}`
  return (
    <div class="note good">
      <p>
        <b>Intact</b>, from {from}: {verdict.entries} entries, each linked to the one before.
      </p>
      <p class="digest">
        head <code>{head}</code> <Copy text={head} what="the head" />
      </p>
      {!withHead && (
        <p class="dim">
          Whoever can write the whole ledger anew can make this verdict true. Paste a head that was noted elsewhere, and
          it proves that too.
        </p>
      )}
    </div>
  )
}
