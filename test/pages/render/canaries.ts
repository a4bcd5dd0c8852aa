import type { Diff } from '../../../core/engine/schema/diff.ts'

export const canary = 'CANARY'

/** The same with a word in each place that is called sensitive, whatever lies there. */
export const withCanaries = (diff: Diff, isHidden = false): Diff => {
  const hidden = isHidden || diff.sensitive === true
  switch (diff.kind) {
    case 'value':
      return hidden ? { ...diff, before: canary, after: { [canary]: canary } } : diff
    case 'object':
    case 'map': {
      const members = Object.entries(diff.members).map(([name, inner]) => [
        hidden ? `${canary}${name}` : name,
        withCanaries(inner, hidden),
      ])
      return { ...diff, members: Object.fromEntries(members) as Record<string, Diff> }
    }
    case 'list':
    case 'tuple':
      return {
        ...diff,
        elements: diff.elements.map((element) => ({
          ...element,
          ...(hidden && { label: canary }),
          diff: withCanaries(element.diff, hidden),
        })),
      }
    case 'set':
      return {
        ...diff,
        elements: diff.elements.map((element) => ({
          ...element,
          ...(hidden && { key: canary, label: canary }),
          diff: withCanaries(element.diff, hidden),
        })),
      }
    case 'text':
      return hidden ? { ...diff, lines: diff.lines.map((line) => ({ ...line, text: canary })) } : diff
    default:
      return { ...diff, inner: withCanaries(diff.inner, hidden) }
  }
}
