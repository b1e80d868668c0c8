/** What files are shown as, besides their source: tables and notebooks. */
import { setImmediate } from 'node:timers/promises'
import { renderMarkdown } from '../../../../collaboration/markdown/reading.ts'
import { type Html, html } from '../../../../platform/pages/html.ts'
import { markdownBody } from '../../../markdown/body.ts'
import { highlightedLines } from '../../highlight/highlight.ts'
import { csvTable, separatorOf } from './csv.ts'
import { isNotebook, type NotebookCell, readNotebook } from './notebook.ts'
import { csvView, notebookView } from './rendered_view.ts'

/** Milliseconds in which the cells of a notebook are highlighted and rendered; those that come later are shown as they are. */
const PATIENCE = 3_000

/** A file as a table or a notebook; undefined for one that is neither, or cannot be read as such. `id`: that of its blob. */
export async function renderedFile(id: string, path: string, text: string): Promise<Html | undefined> {
  const separator = separatorOf(path)
  const table = separator && csvTable(text, separator)
  if (table) return csvView(path, table)
  const notebook = isNotebook(path) ? readNotebook(text) : undefined
  if (!notebook) return undefined
  const bodies: Html[] = []
  const end = performance.now() + PATIENCE
  for (const [index, cell] of notebook.cells.entries()) {
    bodies.push(performance.now() < end ? await cellBody(`${id} ${index}`, cell, notebook.language) : sourceOf(cell))
    // A cell may take some of the main thread's time: others have their turn in between.
    await setImmediate()
  }
  return notebookView(notebook, bodies)
}

async function cellBody(id: string, cell: NotebookCell, language: string): Promise<Html> {
  const { kind, source } = cell
  if (kind === 'raw') return sourceOf(cell)
  if (kind === 'code') {
    const lines = await highlightedLines(id, `cell.${language}`, source)
    return html`${lines.map((line, index) => html`${index > 0 && '\n'}${line}`)}`
  }
  // References stay text: links to them are for texts of the platform.
  const rendered = await renderMarkdown(source, async () => new Map()).catch(() => undefined)
  return rendered === undefined ? sourceOf(cell) : markdownBody(rendered)
}

/** The source of a cell as it is. */
const sourceOf = ({ kind, source }: NotebookCell): Html => (kind === 'markdown' ? html`<pre>${source}</pre>` : html`${source}`)
