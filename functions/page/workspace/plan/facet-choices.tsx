import type { ChosenFacets, FacetName } from './facets.ts'

interface FacetChoicesProps {
  readonly choices: ReadonlyMap<FacetName, ReadonlyMap<string, number>>
  readonly chosen: ChosenFacets
  readonly choose: (name: FacetName, value: string | undefined) => void
}

export const FacetChoices = ({ choices, chosen, choose }: FacetChoicesProps) => (
  <>
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
  </>
)
