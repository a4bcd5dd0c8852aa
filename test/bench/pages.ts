import { readTofuPage, renderTofuPage } from '#core'

const lines = 10_000

const planOf = (before: unknown, after: unknown) => ({
  format_version: '1.2',
  resource_changes: [
    {
      address: 'test_thing.one',
      mode: 'managed',
      type: 'test_thing',
      name: 'one',
      provider_name: 'example.test/acme/test',
      change: { actions: ['update'], before, after, after_unknown: {}, before_sensitive: {}, after_sensitive: {} },
    },
  ],
})

const text = Array.from({ length: lines }, (_, index) => `line ${index}`)
const edited = text.map((line, index) => (index % 100 === 50 ? `${line}!` : line))
const set = Array.from({ length: 2_000 }, (_, index) => ({ name: `n${index}`, value: index }))

/** Pages of OpenTofu plans that grow fast where alignment is done badly. */
export const benchPages = (write: (line: string) => void): void => {
  const cases = {
    'two texts of 10,000 lines, 100 edits': planOf({ text: text.join('\n') }, { text: edited.join('\n') }),
    '2,000 objects, 40 edits': planOf(
      { list: set },
      { list: set.map((each, n) => (n % 50 === 0 ? { ...each, value: -1 } : each)) },
    ),
  }
  for (const [name, plan] of Object.entries(cases)) {
    const bytes = new TextEncoder().encode(JSON.stringify(plan))
    const started = performance.now()
    const page = renderTofuPage(readTofuPage({ name, bytes }, {}), {})
    write(`${name}: ${(performance.now() - started).toFixed(0)} ms, page of ${Math.round(page.length / 1024)} KiB`)
  }
}
