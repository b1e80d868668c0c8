/** Lines around the hunks of a diff: one reading of the file, whatever is asked of it. */
import { type DiffLine, decodeText, readBlob } from '../../../../platform/git/index.ts'
import { integer, OneOf, optional } from '../../../../platform/kernel/declaration/types.ts'
import { pageEndpoint } from '../../../../platform/pages/forms/declare.ts'
import { page, part } from '../../../../platform/pages/frame/document.ts'
import { html } from '../../../../platform/pages/html.ts'
import { projectPlace } from '../../../../spaces/projects/pages/place.ts'
import { revisionPage } from '../../addresses.ts'
import { isBinary } from '../../files/blob_kind.ts'
import { highlightedLines, MOST_CHARACTERS } from '../../highlight/highlight.ts'
import { inFilePage } from '../../scope.ts'
import { anchorOf } from '../anchor.ts'
import { diffParams, lookOf } from '../look.ts'
import { linesTable, MOST_EXPANDED, STEP, type Take, takes } from './lines_view.ts'
import { type Block, type Gap, gapPlaces } from './rows.ts'

/** Bytes of a file that lines are shown of. */
const MOST_BYTES = 8 * 1024 * 1024

/** Asks for the lines as a part of a page: a script puts them in place of the gap. */
const PART = 'diff-lines'

export const showDiffLines = pageEndpoint({
  route: 'GET /:project_path/-/diff_lines/*revision_path',
  summary: 'Show lines of a file that a diff leaves out',
  scope: inFilePage,
  can: 'read_code',
  params: {
    view: diffParams.view,
    w: diffParams.w,
    old_from: integer('The first line that is left out, in the old file', { minimum: 1, maximum: 1e9, examples: [1] }),
    new_from: integer('The first line that is left out, in the new file', { minimum: 1, maximum: 1e9, examples: [1] }),
    count: optional(integer('How many lines are left out; to the end of the file unless given', { minimum: 1, maximum: 1e9 })),
    at: OneOf(gapPlaces, { description: 'Where they are: before all lines of the diff, between some, after all', examples: ['top'] }),
    take: OneOf(takes, { description: 'Which of them are shown', examples: ['all'] }),
  },
  async run(ctx) {
    const { project, repository, revision, blobId, params } = ctx
    const { path, commit } = revision
    const { old_from, new_from, at, take } = params
    const bytes = await readBlob(repository, blobId, MOST_BYTES)
    const text = isBinary(bytes) ? '' : decodeText(bytes)
    const lines = text.split('\n')
    const missing = lines.at(-1) === '' ? 1 : 0
    const left = Math.max(0, lines.length - missing - new_from + 1)
    const gap: Gap = { old_from, new_from, count: Math.min(params.count ?? left, left), at, heading: '' }
    const code = text.length > MOST_CHARACTERS ? [] : await highlightedLines(blobId, path, text)
    const look = lookOf(ctx)
    const table = linesTable(expanded(gap, take, lines), {
      path,
      id: anchorOf(path),
      look,
      sides: [{ size: undefined }, { size: undefined, lines: code }],
      expansion: revisionPage(project, 'diff_lines', commit, path),
    })
    if (ctx.request.headers['turbo-frame'] === PART) return part(table)
    return page(ctx, {
      title: `Lines of ${path}`,
      place: projectPlace(ctx.actor, project, 'files'),
      scripts: ['diffs.js'],
      body: html`<p><a href="${revisionPage(project, 'blob', commit, path)}#L${new_from}">The whole file</a></p><diff-viewer><section class="panel diff-file">${table}</section></diff-viewer>`,
    })
  },
})

/** The lines that are taken of a gap, and what is left of it before or after them. Pure. */
export function expanded({ old_from, new_from, count = 0, at }: Gap, take: Take, text: readonly string[]): readonly Block[] {
  const shown = Math.min(count, take === 'all' ? MOST_EXPANDED : STEP)
  const skipped = take === 'last' ? count - shown : 0
  const lines = Array.from({ length: shown }, (_, index): DiffLine => {
    const [old_line, new_line] = [old_from + skipped + index, new_from + skipped + index]
    return {
      type: 'context',
      old_line,
      new_line,
      old_reached: old_line,
      new_reached: new_line,
      text: text[new_line - 1] ?? '',
    }
  })
  const rest = count - shown
  const from = take === 'last' ? 0 : shown
  const gap: readonly Block[] =
    rest === 0
      ? []
      : [
          {
            gap: {
              old_from: old_from + from,
              new_from: new_from + from,
              count: rest,
              at: at === 'top' && from > 0 ? 'middle' : at,
              heading: '',
            },
          },
        ]
  const block: readonly Block[] = shown === 0 ? [] : [{ lines }]
  return take === 'last' ? [...gap, ...block] : [...block, ...gap]
}
