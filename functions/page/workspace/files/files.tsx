import { useState } from 'preact/hooks'
import { useReader } from '../../data/context.ts'
import type { PartProps } from '../../data/part.ts'
import { useResource } from '../../data/use-resource.ts'
import { Name } from '../../parts/name.tsx'
import { Empty, Shown } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { Difference, type VersionDifference } from './difference.tsx'

/** An item of `GET .../versions`. */
export interface FileVersion {
  readonly version: number
  readonly at: string
  readonly by: { readonly subject: string }
  readonly reason?: string
  readonly commit?: string
}

/** The versions of the files, and what differs between two of them. */
export const Files = ({ workspace: { id, configurationVersion, source, origin } }: PartProps) => {
  const { api } = useReader()
  const path = `/workspaces/${encodeURIComponent(id)}/versions`
  const versions = useResource(`${path} ${configurationVersion}`, (signal) =>
    api.all<FileVersion>(path, { signal, most: 400 }),
  )
  return (
    <>
      <p class="dim">
        {source === undefined
          ? `Stored by a push${origin === undefined ? '' : `, from ${origin}`}.`
          : `Read from ${source.github.repository}, ${source.github.ref}.`}
      </p>
      <Shown of={versions} what="the versions">
        {(known) =>
          known.length === 0 ? (
            <Empty>
              <p>Its files are read from a folder, so there are no versions.</p>
            </Empty>
          ) : (
            <Versions path={path} versions={known} />
          )
        }
      </Shown>
    </>
  )
}

const Versions = ({ path, versions }: { readonly path: string; readonly versions: readonly FileVersion[] }) => {
  const { api } = useReader()
  const [latest, second] = versions
  const [from, setFrom] = useState(second?.version)
  const [to, setTo] = useState(latest?.version)
  const isPair = from !== undefined && to !== undefined && from !== to
  const difference = useResource(isPair ? `${path} ${from} ${to}` : undefined, (signal) =>
    api.call<VersionDifference>(`${path}/diff`, { signal, query: { from: String(from), to: String(to) } }),
  )
  return (
    <>
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
            <th scope="col">Stored</th>
            <th scope="col">By and why</th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ version, at, by, reason, commit }) => (
            <tr key={version}>
              <td>{version}</td>
              <td>
                <input
                  type="radio"
                  name="from"
                  aria-label={`Compare from version ${version}`}
                  checked={version === from}
                  onChange={() => setFrom(version)}
                />
              </td>
              <td>
                <input
                  type="radio"
                  name="to"
                  aria-label={`Compare to version ${version}`}
                  checked={version === to}
                  onChange={() => setTo(version)}
                />
              </td>
              <td>
                <Time at={at} form="day" />
              </td>
              <td>
                <b>
                  <Name of={by.subject} />
                </b>{' '}
                {reason} {commit !== undefined && <code class="whole">{commit.slice(0, 12)}</code>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isPair && (
        <Shown of={difference} what="the difference">
          {(known) => <Difference of={known} />}
        </Shown>
      )}
    </>
  )
}
