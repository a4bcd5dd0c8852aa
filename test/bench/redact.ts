import { createRedactor } from '../../core/engine/transport/redaction/redact.ts'

/** The same for every run. */
const textOf = (seed: number, length: number): string => {
  let state = seed
  let text = ''
  while (text.length < length) {
    state = Math.imul(state ^ (state >>> 13), 0x5bd1e995) + 0x1b873593
    text += (state >>> 0).toString(36)
  }
  return text.slice(0, length)
}

const answerOf = (bytes: number): string => {
  const object = (id: number) => ({
    id,
    name: `object ${id}`,
    note: 'some words of a person',
    on: true,
    tag: textOf(id, 12),
  })
  return JSON.stringify(Array.from({ length: Math.ceil(bytes / 90) }, (_, id) => object(id))).slice(0, bytes)
}

const best = (times: number, run: () => unknown): number =>
  Math.min(
    ...Array.from({ length: times }, () => {
      const started = performance.now()
      run()
      return performance.now() - started
    }),
  )

/** The way of before: one expression of all texts. The engine refuses it from some size on, in an error that quotes it. */
const asExpression = (secrets: readonly string[], answer: string): string => {
  const quoted = secrets.map((each) => each.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  try {
    const expression = new RegExp(quoted.join('|'), 'gu')
    return `${best(1, () => answer.replace(expression, '(secret)')).toFixed(0)} ms, plain spelling only`
  } catch (error) {
    return `refused (${(error as Error).name})`
  }
}

export const benchRedact = (write: (line: string) => void): void => {
  const answer = answerOf(1_000_000)
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['one secret of 30 characters', [textOf(1, 30)]],
    ['5,000 secrets', Array.from({ length: 5_000 }, (_, n) => textOf(n + 7, 30))],
    [
      '20,000 secrets, and one of 1 MB',
      [textOf(3, 1_000_000), ...Array.from({ length: 20_000 }, (_, n) => textOf(n + 7, 30))],
    ],
  ]
  for (const [name, secrets] of cases) {
    const redactor = createRedactor()
    for (const secret of secrets) redactor.learn(secret)
    const first = best(1, () => redactor.text('a first look'))
    const spent = best(5, () => redactor.text(answer))
    write(
      `${name}: ${spent.toFixed(0)} ms for an answer of 1 MB (learnt in ${first.toFixed(0)} ms); one regular expression: ${asExpression(secrets, answer)}`,
    )
  }
}
