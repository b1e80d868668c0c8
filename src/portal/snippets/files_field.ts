/** The files of a snippet as a field of a form: each with its name and its text. */
import Type from 'typebox'
import type { FileContents } from '../../collaboration/snippets/contents.ts'
import { type FileActionParam, MOST_FILES } from '../../collaboration/snippets/params.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import type { FieldSpec, FieldState } from '../../platform/pages/forms/fields.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** The parameter of a form with such files. Rows without a text and without a name are none. */
export const filesParams = {
  files: optional(
    Type.Array(
      Type.Object({
        previous_path: optional(text('Path that the file has; empty for a new one', { maxLength: 4096 })),
        remove: optional(text('Not empty: the file is deleted', { maxLength: 1 })),
        file_path: optional(text('Path of the file', { maxLength: 4096 })),
        content: optional(text('Content of the file')),
      }),
      { description: 'Files', maxItems: 2 * MOST_FILES },
    ),
  ),
}

/** A file as a row has it. `content` undefined: it is no text, and stays as it is. */
export interface FileRow {
  readonly previous_path: string
  readonly remove: boolean
  readonly file_path: string
  readonly content: string | undefined
}

const isRow = (row: unknown): row is Readonly<Record<string, unknown>> => typeof row === 'object' && row !== null && !Array.isArray(row)

/** The rows of a form as they were sent; those that are empty are left out. Browsers send line ends as CR LF. */
export const fileRowsOf = (sent: unknown): readonly FileRow[] =>
  (Array.isArray(sent) ? sent : [])
    .filter(isRow)
    .map(({ previous_path, remove, file_path, content }) => ({
      previous_path: String(previous_path ?? ''),
      remove: Boolean(remove),
      file_path: String(file_path ?? '').trim(),
      content: content === undefined ? undefined : String(content).replaceAll('\r\n', '\n'),
    }))
    .filter(({ previous_path, file_path, content }) => previous_path !== '' || file_path !== '' || (content ?? '') !== '')

/** Existing files as rows. */
export const rowsOfFiles = (files: readonly FileContents[]): readonly FileRow[] =>
  files.map(({ path, content }) => ({
    previous_path: path,
    remove: false,
    file_path: path,
    content: content === undefined || content.includes(0) ? undefined : content.toString('utf8'),
  }))

/** What rows say about the files that there are, as actions. */
export const actionsOf = (rows: readonly FileRow[], existing: readonly FileRow[]): FileActionParam[] =>
  rows.flatMap(({ previous_path, remove, file_path, content }): FileActionParam[] => {
    if (previous_path === '') return [{ action: 'create', ...(file_path !== '' && { file_path }), content: content ?? '' }]
    if (remove) return [{ action: 'delete', file_path: previous_path }]
    const before = existing.find(row => row.previous_path === previous_path)?.content
    const changed = content !== undefined && content !== before ? { content } : {}
    if (file_path !== '' && file_path !== previous_path) return [{ action: 'move', previous_path, file_path, ...changed }]
    return 'content' in changed ? [{ action: 'update', file_path: previous_path, ...changed }] : []
  })

/** The files as a field of a form, with an empty one at the end as long as there may be more. */
export const filesField: FieldSpec = { name: 'files', own: state => filesView(state) }

const empty: FileRow = { previous_path: '', remove: false, file_path: '', content: '' }

function filesView({ value, wrong }: FieldState): Html {
  const rows = Array.isArray(value) && value.every(isRow) && value.every(row => 'previous_path' in row) ? fileRowsOf(value) : []
  const shown = rows.length === 0 ? [empty, empty] : rows.length < MOST_FILES ? [...rows, empty] : rows
  return html`<fieldset class="field" aria-describedby="files-hint${wrong.length > 0 && ' files-wrong'}"><legend>Files</legend>
<p class="hint" id="files-hint">A name with an ending tells how it is highlighted. What is left empty is no file; another place appears when you have saved.</p>${wrong.length > 0 && html`<p class="wrong" id="files-wrong">${wrong.join(', ')}</p>`}
<div class="stack">${shown.map(rowView)}</div></fieldset>`
}

const name = (field: string) => `files[][${field}]`

function rowView({ previous_path, remove, file_path, content }: FileRow, at: number): Html {
  const lines = Math.min(30, Math.max(8, (content ?? '').split('\n').length + 1))
  const isNew = previous_path === ''
  return html`<div class="panel body stack"><input type="hidden" name="${name('previous_path')}" value="${previous_path}"><div class="row"><input class="form-control mono" name="${name('file_path')}" value="${file_path}" maxlength="4096" aria-label="Name of file ${at + 1}" placeholder="${isNew ? 'example.sh' : previous_path}" autocapitalize="none" autocomplete="off" spellcheck="false">${
    isNew
      ? html`<input type="hidden" name="${name('remove')}" value="">`
      : html`<select class="form-control form-select" name="${name('remove')}" aria-label="What becomes of file ${at + 1}"><option value="">Keep</option><option value="1"${remove && html` selected`}>Delete</option></select>`
  }</div>${
    content === undefined
      ? html`<p class="muted">The file is no text, or too large to be edited here. It stays as it is.</p>`
      : html`<textarea class="form-control mono" rows="${lines}" name="${name('content')}" aria-label="Text of file ${at + 1}" autocapitalize="none" spellcheck="false">\n${content}</textarea>`
  }</div>`
}
