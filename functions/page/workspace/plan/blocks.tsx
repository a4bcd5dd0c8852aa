import { useMemo, useRef, useState } from 'preact/hooks'
import { type Block, plain, type Report, type Section } from '../../../../core/pages/render/draw.ts'
import { putQuery } from '../../data/use-place.ts'
import { Empty } from '../../parts/states.tsx'
import { itemProps } from '../../parts/window/row-props.ts'
import { useWindow } from '../../parts/window/use-window.ts'
import { BlockView } from './block-view.tsx'
import { type ChosenFacets, choicesOf, type FacetName, type Facets, facetNames, isChosen } from './facets.ts'
import { FilterBar } from './filter-bar.tsx'

/** So few are open from the start. */
const openUpTo = 12

const sectionTitles: Readonly<Partial<Record<Section['kind'], string>>> = { changes: 'Changes' }

const textOf = (block: Block): string =>
  [block.address, plain(block.words), JSON.stringify(block.rows)].join('\n').toLowerCase()

interface BlocksProps {
  readonly report: Report
  readonly facets: ReadonlyMap<string, Facets>
  readonly query: URLSearchParams
}

const readChosen = (query: URLSearchParams): ChosenFacets =>
  Object.fromEntries(facetNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])))

/** The changes and the drift, with filters where there is something to choose from. */
export const Blocks = ({ report, facets, query }: BlocksProps) => {
  const [text, setText] = useState(query.get('q') ?? '')
  const [chosen, setChosen] = useState(readChosen(query))
  const all = report.sections.flatMap(({ blocks }) => blocks)
  const choices = useMemo(() => choicesOf([...facets.values()]), [facets])
  // Texts of large plans are put together only when somebody searches.
  const texts = useMemo(
    () => (text === '' ? undefined : new Map(all.map((block) => [block, textOf(block)]))),
    [report, text === ''],
  )
  const isFound = (block: Block): boolean =>
    isChosen(facets.get(block.address), chosen) &&
    (texts === undefined ||
      text
        .toLowerCase()
        .split(/\s+/)
        .every((word) => texts.get(block)?.includes(word)))
  const sections = useMemo(
    () => report.sections.map((section) => ({ ...section, blocks: section.blocks.filter(isFound) })),
    [report, text, chosen],
  )
  if (all.length === 0) return null
  const found = sections.reduce((sum, { blocks }) => sum + blocks.length, 0)
  const choose = (name: FacetName, value: string | undefined) => {
    setChosen(({ [name]: _, ...others }) => (value === undefined ? others : { ...others, [name]: value }))
    putQuery(name, value ?? '')
  }
  const search = (value: string) => {
    setText(value)
    putQuery('q', value)
  }
  return (
    <>
      {all.length > 1 && <FilterBar {...{ text, search, choices, chosen, choose, found, all: all.length }} />}
      {found === 0 && (
        <Empty>
          <p>Nothing matches the filters.</p>
        </Empty>
      )}
      {sections
        .filter(({ blocks }) => blocks.length > 0)
        .map((section) => (
          <SectionView
            key={`${section.kind} ${text} ${JSON.stringify(chosen)}`}
            section={section}
            isOpen={found <= openUpTo}
          />
        ))}
    </>
  )
}

/** Height of a block that is closed, as long as none is drawn. */
const blockPx = 44

const SectionView = ({ section, isOpen }: { readonly section: Section; readonly isOpen: boolean }) => {
  const { kind, title, blocks } = section
  const { list, rows, count } = useWindow(blocks, ({ address }) => address, blockPx)
  const opened = useRef(new Map<string, boolean>())
  return (
    <section aria-label={title ?? sectionTitles[kind] ?? kind}>
      <h2>
        {title ?? sectionTitles[kind] ?? kind} <small class="dim">{blocks.length}</small>
      </h2>
      <ul class="blocks window" ref={list}>
        {rows.map((row) => (
          <li key={row.key} {...itemProps(row, count)}>
            <BlockView block={row.item} isOpen={isOpen} opened={opened.current} />
          </li>
        ))}
      </ul>
    </section>
  )
}
