import { type FleetState, stateSigns, stateWords } from '../data/health.ts'

/** A state by word, shape and colour. */
export const StateBadge = ({ state }: { readonly state: FleetState }) => (
  <span class={`badge ${state}`}>
    <span aria-hidden="true">{stateSigns[state]}</span> {stateWords[state]}
  </span>
)
