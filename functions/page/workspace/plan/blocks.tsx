import { useMemo, useState } from 'preact/hooks'
import { type Block, plain, type Report, type Section } from '../../../../core/pages/render/draw.ts'
import { putQuery } from '../../data/use-place.ts'
import { ListBar, type SearchedList, useSearch } from '../../parts/list-bar.tsx'
import { Empty } from '../../parts/states.tsx'
import { itemProps } from '../../parts/window/row-props.ts'
import { useWindow } from '../../parts/window/use-window.ts'
import { BlockView } from './block-view.tsx'
import { FacetChoices } from './facet-choices.tsx'
import { type ChosenFacets, choicesOf, type FacetName, type Facets, facetNames, isChosen } from './facets.ts'

/** So few are open from the start. */
const openUpTo = 12

const sectionTitles: Readonly<Partial<Record<Section['kind'], string>>> = { changes: 'Changes' }

const textOf = (block: Block): string => [block.address, plain(block.words), JSON.stringify(block.rows)].join('\n')

interface BlocksProps {
  readonly report: Report
  readonly facets: ReadonlyMap<string, Facets>
  readonly query: URLSearchParams
}

const readChosen = (query: URLSearchParams): ChosenFacets =>
  Object.fromEntries(facetNames.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])))

/** The changes and the drift, with filters where there is something to choose from. */
export const Blocks = ({ report, facets, query }: BlocksProps) => {
  const [chosen, setChosen] = useState(readChosen(query))
  const all = useMemo(() => report.sections.flatMap(({ blocks }) => blocks), [report])
  const list = useSearch(all, textOf, query.get('q') ?? '')
  const choices = useMemo(() => choicesOf([...facets.values()]), [facets])
  const isFound = (block: Block): boolean => isChosen(facets.get(block.address), chosen) && list.isFound(block)
  const sections = useMemo(
    () => report.sections.map((section) => ({ ...section, blocks: section.blocks.filter(isFound) })),
    [report, list.text, chosen],
  )
  if (all.length === 0) return null
  const found = sections.reduce((sum, { blocks }) => sum + blocks.length, 0)
  const choose = (name: FacetName, value: string | undefined) => {
    setChosen(({ [name]: _, ...others }) => (value === undefined ? others : { ...others, [name]: value }))
    putQuery(name, value ?? '')
  }
  return (
    <>
      {all.length > 1 && (
        <ListBar list={list} what="the changes" found={found} all={all.length}>
          <FacetChoices {...{ choices, chosen, choose }} />
        </ListBar>
      )}
      {found === 0 && (
        <Empty>
          <p>Nothing matches the filters.</p>
        </Empty>
      )}
      {sections
        .filter(({ blocks }) => blocks.length > 0)
        .map((section) => (
          <SectionView
            key={`${section.kind} ${list.key} ${JSON.stringify(chosen)}`}
            section={section}
            isOpen={list.isOpen ?? found <= openUpTo}
            opened={list.opened}
          />
        ))}
    </>
  )
}

/** Height of a block that is closed, as long as none is drawn. */
const blockPx = 44

interface SectionViewProps extends Pick<SearchedList<Block>, 'opened'> {
  readonly section: Section
  readonly isOpen: boolean
}

const SectionView = ({ section, isOpen, opened }: SectionViewProps) => {
  const { kind, title, blocks } = section
  const { list, rows, count } = useWindow(blocks, ({ address }) => address, blockPx)
  return (
    <section aria-label={title ?? sectionTitles[kind] ?? kind}>
      <h2>
        {title ?? sectionTitles[kind] ?? kind} <small class="dim">{blocks.length}</small>
      </h2>
      <ul class="blocks window" ref={list}>
        {rows.map((row) => (
          <li key={row.key} {...itemProps(row, count)}>
            <BlockView block={row.item} isOpen={isOpen} opened={opened} />
          </li>
        ))}
      </ul>
    </section>
  )
}
