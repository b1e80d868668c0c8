/** The view of one file of a diff. Pure. */
import { type DiffEntry, type DiffLine, linesOf } from '../../../platform/git/index.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { anchorOf } from './anchor.ts'
import { contentView, type DiffEnds, showsPictures } from './content_view.ts'
import type { LineMark } from './lines/lines_view.ts'
import type { ShownEntry } from './load.ts'
import { type Look, plainLook } from './look.ts'

/** What a page adds to a diff: to each line, below it, and below the head of a file. */
export interface DiffExtras {
  /** A mark beside the number of a line of the new file. */
  readonly markOf?: (entry: DiffEntry, line: DiffLine) => LineMark | undefined
  /** Stands in a row of its own below a line. */
  readonly belowLine?: (entry: DiffEntry, line: DiffLine) => Html | undefined
  /** Stands beside the name of a file: what is known of it. */
  readonly besideName?: (entry: DiffEntry) => Html | undefined
  /** Stands in the head of a file: what can be done with the file. */
  readonly onFile?: (entry: DiffEntry) => Html | undefined
  /** Where a comment on a place of a picture begins without a script. */
  readonly placeOnPicture?: (entry: DiffEntry, side: 'old' | 'new') => string
  /** Stands above the lines of a file. */
  readonly aboveLines?: (entry: ShownEntry) => Html | undefined
}

/** How a file is shown. */
export interface FileOptions {
  readonly look?: Look | undefined
  readonly ends?: DiffEnds | undefined
  /** The address that shows the file alone, whatever its size. */
  readonly alone?: string | undefined
  /** The file is shown alone. */
  readonly isAlone?: boolean
  /** The mark of a person who has seen it, with the button that sets it or takes it away. */
  readonly viewed?: { readonly isViewed: boolean; readonly button: Html } | undefined
}

/** A file with what is changed in it. `href`: its page. */
export function fileView(entry: ShownEntry, href: string | undefined, extras: DiffExtras = {}, options: FileOptions = {}): Html {
  const { old_path, new_path, a_mode, b_mode, similarity } = entry
  const id = anchorOf(new_path)
  const isModeChange = !entry.new_file && !entry.deleted_file && a_mode !== b_mode
  const isViewed = options.viewed?.isViewed === true
  // What is gone is rarely read, and what was viewed is out of the way.
  const isFolded = !options.isAlone && (isViewed || entry.deleted_file)
  const lines = linesOf(entry)
  return html`<section class="panel diff-file ${heightOf(isFolded ? 0 : lines.length)}${isViewed && ' viewed'}" id="${id}" aria-labelledby="${id}-name" data-file><header class="row apart"><div class="row"><button type="button" class="bar-button" data-fold aria-expanded="${isFolded ? 'false' : 'true'}" aria-controls="${id}-body" aria-label="Show the changes of ${new_path}">${icon('chevron-down')}</button><h2 id="${id}-name" class="mono">${entry.renamed_file && html`${old_path} → `}${new_path}</h2>${copyButton(`Copy the path ${new_path}`, new_path)}${extras.besideName?.(entry)}</div><div class="row">${countsOf(lines)}${entry.new_file && chip('New', 'success')}${entry.deleted_file && chip('Deleted', 'danger')}${entry.renamed_file && chip(similarity === undefined || similarity === 100 ? 'Renamed' : `Renamed, ${similarity} % the same`, 'accent')}${isModeChange && chip(`${a_mode} → ${b_mode}`)}${href !== undefined && html`<a class="btn btn-sm" href="${href}">${icon('eye')} View<span class="sr-only"> ${new_path}</span></a>`}${options.viewed?.button}${extras.onFile?.(entry)}</div></header><details id="${id}-body"${!isFolded && html` open`}><summary>Show the changes<span class="sr-only"> of ${new_path}</span></summary>${!showsPictures(entry) && extras.aboveLines?.(entry)}${bodyOf(entry, extras, options)}</details></section>`
}

/** What is changed in a file, without its head. */
export const bodyOf = (
  entry: ShownEntry,
  { markOf, belowLine, aboveLines, placeOnPicture }: DiffExtras,
  { look = plainLook, ...options }: FileOptions,
): Html =>
  contentView(entry, {
    look,
    ends: options.ends,
    alone: options.alone,
    isAlone: options.isAlone === true,
    belowPictures: showsPictures(entry) ? aboveLines?.(entry) : undefined,
    placeOnPicture: placeOnPicture && (side => placeOnPicture(entry, side)),
    markOf: markOf && (line => markOf(entry, line)),
    belowLine: belowLine && (line => belowLine(entry, line)),
  })

/** How high a file is, about: the browser skips what is not seen, and its scrollbar must not jump. */
const heightOf = (lines: number): string => `lines-${lines === 0 ? 0 : Math.min(4_096, Math.max(8, 2 ** Math.round(Math.log2(lines))))}`

function countsOf(lines: readonly DiffLine[]): Html | undefined {
  if (lines.length === 0) return undefined
  const count = (kind: DiffLine['type']) => lines.filter(({ type }) => type === kind).length
  const [added, removed] = [count('added'), count('removed')]
  return html`<span class="small nowrap" title="${added} lines added, ${removed} removed"><span class="added-count">+${added}</span> <span class="removed-count">&minus;${removed}</span></span>`
}
