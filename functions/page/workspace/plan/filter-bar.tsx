import type { ChosenFacets, FacetName } from './facets.ts'

interface FilterBarProps {
  readonly text: string
  readonly search: (text: string) => void
  readonly choices: ReadonlyMap<FacetName, ReadonlyMap<string, number>>
  readonly chosen: ChosenFacets
  readonly choose: (name: FacetName, value: string | undefined) => void
  readonly found: number
  readonly all: number
}

export const FilterBar = ({ text, search, choices, chosen, choose, found, all }: FilterBarProps) => (
  <div class="bar">
    <input
      type="search"
      aria-label="Search the changes"
      placeholder="Search"
      value={text}
      onInput={({ currentTarget: { value } }) => search(value)}
    />
    {[...choices].map(([name, values]) => (
      <label key={name} class="choice">
        {name}{' '}
        <select
          value={chosen[name] ?? ''}
          onChange={({ currentTarget: { value } }) => choose(name, value || undefined)}
        >
          <option value="">all</option>
          {[...values].map(([value, n]) => (
            <option key={value} value={value}>
              {value} ({n})
            </option>
          ))}
        </select>
      </label>
    ))}
    <span class="dim" role="status">
      {found === all ? all : `${found} of ${all}`}
    </span>
  </div>
)
