import type { Position } from '../../../engine/schema/resource.ts'
import { placeText } from '../../../engine/values/diagnose.ts'
import { pathIn } from '../../../engine/values/file-path.ts'
import type { Report } from './report.ts'

/** The same report for a reader who is not in the folder of the workspace: its files are named from where the reader is. */
export const reportFrom = (report: Report, folder: string | undefined): Report => {
  if (folder === undefined || folder === '') return report
  const seen = (place: Position): Position => ({ ...place, file: pathIn(folder, place.file) ?? place.file })
  return {
    ...report,
    folder,
    sections: report.sections.map((section) => ({
      ...section,
      blocks: section.blocks.map((block) =>
        block.place === undefined ? block : { ...block, place: seen(block.place) },
      ),
    })),
    lists: report.lists.map((list) => ({
      ...list,
      entries: list.entries.map((entry) => {
        if (entry.place === undefined) return entry
        const place = seen(entry.place)
        return { ...entry, place, what: entry.what === placeText(entry.place) ? placeText(place) : entry.what }
      }),
    })),
  }
}
