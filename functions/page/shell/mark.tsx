/** The weight on its line. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 16 24" aria-hidden="true">
    <path d="M8 0v10" stroke="currentColor" stroke-width="1.5" />
    <path d="M8 23 3.5 13.5 8 10l4.5 3.5z" fill="currentColor" />
  </svg>
)
