/** The views of tables and notebooks. */
import { type Html, html } from '../../../../platform/pages/html.ts'
import type { CsvTable } from './csv.ts'
import type { Notebook, NotebookOutput } from './notebook.ts'

export function csvView(path: string, { rows, isCut }: CsvTable): Html {
  const [head = [], ...rest] = rows
  return html`<div class="scroll" role="region" aria-label="Table of ${path}" tabindex="0"><table class="data sheet-table"><thead><tr><th scope="col"><span class="sr-only">Row</span></th>${head.map(value => html`<th scope="col">${value}</th>`)}</tr></thead><tbody>${rest.map((row, index) => html`<tr><th scope="row">${index + 1}</th>${row.map(value => html`<td>${value}</td>`)}</tr>`)}</tbody></table></div>${isCut && html`<p class="body muted">Only the beginning is shown. The source has all of it.</p>`}`
}

/** @param bodies the cells' sources as HTML, in their order */
export const notebookView = ({ cells, isCut }: Notebook, bodies: readonly Html[]): Html =>
  html`<div class="body notebook">${cells.map(({ kind, outputs }, index) => html`<section aria-label="Cell ${index + 1}">${kind === 'markdown' ? html`<div class="markdown-body">${bodies[index]}</div>` : html`<pre class="cell mono scroll" tabindex="0">${bodies[index]}</pre>`}${outputs.map(output => outputView(output, index + 1))}</section>`)}${isCut && html`<p class="muted">Only the first ${cells.length} cells are shown.</p>`}</div>`

const outputView = (output: NotebookOutput, cell: number): Html =>
  output.kind === 'picture'
    ? html`<div class="picture"><img src="data:${output.type};base64,${output.data}" alt="Output of cell ${cell}"></div>`
    : html`<pre class="output mono scroll${output.kind === 'error' ? ' error' : ''}" tabindex="0">${output.text}</pre>`
