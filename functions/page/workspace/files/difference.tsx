import { Empty } from '../../parts/states.tsx'

type Kind = 'added' | 'removed' | 'changed'

/** `GET .../versions/diff` */
export interface VersionDifference {
  readonly resources: readonly { readonly address: string; readonly kind: Kind }[]
  readonly variables: readonly { readonly name: string; readonly kind: Kind }[]
  readonly files: readonly { readonly file: string; readonly kind: Kind; readonly diff?: string }[]
  readonly unreadable?: readonly { readonly version: number; readonly detail: string }[]
}

/** A line of a unified diff by its first character. */
const lineOf = (line: string) => {
  if (line.startsWith('+') && !line.startsWith('+++')) return <ins>{line}</ins>
  if (line.startsWith('-') && !line.startsWith('---')) return <del>{line}</del>
  return <span class={line.startsWith('@@') ? 'dim' : ''}>{line}</span>
}

const DiffText = ({ text }: { readonly text: string }) => (
  <pre>
    {text
      .trimEnd()
      .split('\n')
      .map((line, n) => (
        <span key={n}>
          {lineOf(line)}
          {'\n'}
        </span>
      ))}
  </pre>
)

/** What a newer version of the files says otherwise. */
export const Difference = ({
  of: { resources, variables, files, unreadable = [] },
}: {
  readonly of: VersionDifference
}) => {
  if (resources.length + variables.length + files.length + unreadable.length === 0)
    return (
      <Empty>
        <p>The two versions say the same.</p>
      </Empty>
    )
  return (
    <>
      {unreadable.map(({ version, detail }) => (
        <p key={version} class="note warn">
          Version {version} cannot be read any more: {detail}
        </p>
      ))}
      {(resources.length > 0 || variables.length > 0) && (
        <ul>
          {resources.map(({ address, kind }) => (
            <li key={address}>
              <code>{address}</code> {kind}
            </li>
          ))}
          {variables.map(({ name, kind }) => (
            <li key={name}>
              variable <code>{name}</code> {kind}
            </li>
          ))}
        </ul>
      )}
      {files.map(({ file, kind, diff }) => (
        <section key={file} aria-label={file}>
          <h3>
            <code>{file}</code> <small class="dim">{kind}</small>
          </h3>
          {diff !== undefined && <DiffText text={diff} />}
        </section>
      ))}
    </>
  )
}
