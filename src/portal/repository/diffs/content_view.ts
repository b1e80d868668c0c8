/** What is shown of a file's changes: lines, pictures, sizes, or a sentence. Pure. */
import { type DiffLine, hunksOf, linesOf } from '../../../platform/git/index.ts'
import { bytesText } from '../../../platform/pages/components/numbers.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { revisionPage } from '../addresses.ts'
import { lfsPointer, pictureType } from '../files/blob_kind.ts'
import { anchorOf } from './anchor.ts'
import { keptTable } from './lines/kept_tables.ts'
import { type LinesOptions, linesTable } from './lines/lines_view.ts'
import { blocksOf } from './lines/rows.ts'
import type { ShownEntry } from './load.ts'

/** Where the files of both sides are. */
export interface DiffEnds {
  readonly project: { readonly full_path: string }
  /** A commit; undefined where nothing was before. */
  readonly before: string | undefined
  readonly after: string
}

export interface ContentOptions extends Omit<LinesOptions, 'path' | 'id' | 'sides' | 'expansion'> {
  readonly ends?: DiffEnds | undefined
  /** The address that shows the file alone, whatever its size. */
  readonly alone?: string | undefined
  /** The file is shown alone. */
  readonly isAlone?: boolean
  /** Where a comment on a place of the picture begins without a script. */
  readonly placeOnPicture?: ((side: 'old' | 'new') => string) | undefined
  /** Stands below the pictures of a file that is one. */
  readonly belowPictures?: Html | undefined
}

/** Are pictures shown of both sides? Then what stands above the lines of other files stands below them. */
export const showsPictures = (entry: ShownEntry): boolean =>
  pictureType(entry.new_path) !== undefined &&
  entry.diff !== '' &&
  ![entry.a_mode, entry.b_mode].includes('160000') &&
  pointersOf(entry) === undefined

/** Lines of a file on a page with others, and of one that is shown alone. */
const MOST_LINES = 4_000
const MOST_ALONE = 20_000

/** The frame in which a file that is too large for its page is loaded. */
export const aloneFrame = (path: string): string => `alone-${anchorOf(path)}`

export function contentView(entry: ShownEntry, options: ContentOptions): Html {
  if (entry.a_mode === '160000' || entry.b_mode === '160000') return submoduleView(entry)
  const isPicture = showsPictures(entry)
  if (/^Binary files /m.test(entry.diff)) return isPicture ? picturesView(entry, options) : binaryView(entry)
  const pointers = pointersOf(entry)
  if (pointers) return html`<p class="body">Kept by Git LFS: ${pointers.join(' → ')}.</p>${linesView(entry, options)}`
  // A picture that is a text: both are shown.
  if (isPicture) return html`${picturesView(entry, options)}${linesView(entry, options)}`
  return linesView(entry, options)
}

function linesView(entry: ShownEntry, options: ContentOptions): Html {
  const { new_path, diff, sides } = entry
  const hunks = hunksOf(diff)
  const count = hunks.reduce((sum, { lines }) => sum + lines.length, 0)
  if (isLarge(entry, count, options.isAlone === true)) return largeView(entry, options)
  if (count === 0) return html`<p class="body muted">${nothingOf(entry, options)}</p>`
  const isWhole = entry.new_file || entry.deleted_file || entry.a_mode.slice(0, 3) !== entry.b_mode.slice(0, 3)
  const blocks = isWhole ? hunks.map(({ lines }) => ({ lines })) : blocksOf(hunks, sides[1].count)
  const { ends } = options
  const expansion = ends && !isWhole ? revisionPage(ends.project, 'diff_lines', ends.after, new_path) : undefined
  const below = belowLines(hunks, options)
  const shown = { ...options, path: new_path, id: anchorOf(new_path), sides, expansion, belowLine: (line: DiffLine) => below.get(line) }
  const isPlain = options.markOf === undefined && below.size === 0
  return isPlain ? keptTable(entry, shown, () => linesTable(blocks, shown)) : linesTable(blocks, shown)
}

/** What stands below the lines, of those that have something. */
function belowLines(hunks: readonly { readonly lines: readonly DiffLine[] }[], { belowLine }: ContentOptions): ReadonlyMap<DiffLine, Html> {
  const below = new Map<DiffLine, Html>()
  if (!belowLine) return below
  for (const { lines } of hunks)
    for (const line of lines) {
      const found = belowLine(line)
      if (found) below.set(line, found)
    }
  return below
}

/** Has it too many lines to be shown? */
const isLarge = ({ too_large, collapsed }: ShownEntry, count: number, isAlone: boolean): boolean =>
  too_large || collapsed || count > (isAlone ? MOST_ALONE : MOST_LINES)

/** The lines of a file's diff that are shown. */
export function shownLines(entry: ShownEntry, isAlone: boolean): readonly DiffLine[] {
  const lines = linesOf(entry)
  return isLarge(entry, lines.length, isAlone) ? [] : lines
}

/** Why no line is shown. */
function nothingOf(
  { renamed_file, new_file, deleted_file, a_mode, b_mode, ids: [before, after] }: ShownEntry,
  { look }: ContentOptions,
): string {
  if (new_file || deleted_file) return 'The file is empty.'
  if (before !== after && look.ignoresWhitespace) return 'Only white space differs.'
  if (renamed_file) return 'The file was renamed, and nothing in it changed.'
  return a_mode === b_mode ? 'No line changed.' : `Only the mode changed: ${a_mode} became ${b_mode}.`
}

function largeView({ new_path, sides: [before, after] }: ShownEntry, { alone, isAlone }: ContentOptions): Html {
  const size = html`${after.size !== undefined && html` The file has ${bytesText(after.size)}${before.size !== undefined && html`, before ${bytesText(before.size)}`}.`}`
  if (isAlone || alone === undefined) return html`<p class="body muted">The changes of this file are too large to be shown here.${size}</p>`
  return html`<turbo-frame id="${aloneFrame(new_path)}"><p class="body"><span class="muted">The changes of this file are large.${size}</span> <a class="btn btn-sm" href="${alone}" rel="nofollow">Load them anyway<span class="sr-only">, of ${new_path}</span></a></p></turbo-frame>`
}

/** `1.2 KB → 3 KB` */
function sizesOf({ sides }: ShownEntry): string {
  return sides.flatMap(({ size }) => (size === undefined ? [] : [bytesText(size)])).join(' → ')
}

const binaryView = (entry: ShownEntry): Html => html`<p class="body muted">The file is not a text: ${sizesOf(entry)}.</p>`

function picturesView(entry: ShownEntry, { ends, belowPictures, placeOnPicture }: ContentOptions): Html {
  if (!ends) return html`${belowPictures}${binaryView(entry)}`
  const [before, after] = entry.sides
  const figure = (
    side: 'old' | 'new',
    commit: string | undefined,
    path: string,
    { size }: { readonly size: number | undefined },
    says: string,
  ) => {
    if (commit === undefined || size === undefined) return undefined
    const alt = `${path}, ${says.toLowerCase()}`
    const place = placeOnPicture?.(side)
    const image = html`<img src="${revisionPage(ends.project, 'raw', commit, path)}" alt="${alt}" loading="lazy">`
    // The script of a review takes the link away: a click on the picture begins the comment then.
    return html`<figure><div class="pane"><div class="picture" data-side="${side}">${place === undefined ? image : html`<a href="${place}" data-place aria-label="Comment on a place of ${alt}" rel="nofollow">${image}</a>`}</div></div><figcaption>${says}: ${bytesText(size)}${place !== undefined && html` · <a href="${place}" rel="nofollow">Comment on a place<span class="sr-only"> of ${alt}</span></a>`}</figcaption></figure>`
  }
  return html`<div class="body pictures">${figure('old', ends.before, entry.old_path, before, 'Before')}${figure('new', ends.after, entry.new_path, after, 'After')}</div>${belowPictures}`
}

function submoduleView({ a_mode, b_mode, ids: [before, after] }: ShownEntry): Html {
  const name = (mode: string, id: string) => (mode === '160000' ? html`<span class="mono">${id.slice(0, 12)}</span>` : undefined)
  const [old, fresh] = [name(a_mode, before), name(b_mode, after)]
  if (old && fresh) return html`<p class="body">The submodule moved from ${old} to ${fresh}.</p>`
  return html`<p class="body">${fresh ? html`A submodule was added, at ${fresh}.` : html`The submodule at ${old} was removed.`}</p>`
}

/** The sizes of what the pointers of git-lfs stand for; undefined unless each side that there is is one. */
function pointersOf(entry: ShownEntry): readonly string[] | undefined {
  // Pointers are short, so that a diff has all of their lines.
  if (entry.diff.length > 4_096 || !entry.diff.includes('git-lfs')) return undefined
  const lines = linesOf(entry)
  const textOf = (number: 'old_line' | 'new_line') => lines.flatMap(line => (line[number] === null ? [] : [line.text])).join('\n')
  const texts = [...(entry.new_file ? [] : [textOf('old_line')]), ...(entry.deleted_file ? [] : [textOf('new_line')])]
  const pointers = texts.map(lfsPointer)
  return pointers.every(pointer => pointer !== undefined) ? pointers.map(({ size }) => bytesText(size)) : undefined
}
