/** Longer parts of a name do not fit a column, and break anywhere. */
const longestPart = 20

/** A name that breaks behind `:`, `/`, `@` and the like alone, also in a narrow column of a table. */
export const Name = ({ of }: { readonly of: string }) => (
  <>
    {of.split(/(?<=[\s:/@._-])/).map((part, n) => (
      <>
        {n > 0 && <wbr />}
        {part.length > longestPart ? part : <span class="whole">{part}</span>}
      </>
    ))}
  </>
)
