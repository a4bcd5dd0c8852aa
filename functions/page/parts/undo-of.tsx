import { workspaceLink } from '../data/place.ts'

/** So much of an id tells applies of one workspace apart for those who read. */
const shownCharacters = 8

interface UndoOfProps {
  readonly workspace: string
  /** The apply that is undone. */
  readonly apply: string
}

/** `Undo of apply …`, which leads there. */
export const UndoOf = ({ workspace, apply }: UndoOfProps) => (
  <>
    Undo of apply{' '}
    <a href={workspaceLink(workspace, 'applies', apply)} title={apply}>
      …{apply.slice(-shownCharacters)}
    </a>
  </>
)
