/** What files are shown as, besides their source: tables and notebooks. */
import { renderMarkdown } from '../../../../collaboration/markdown/reading.ts'
import { type Html, html } from '../../../../platform/pages/html.ts'
import { markdownBody } from '../../../markdown/body.ts'
import { highlightedLines } from '../../highlight/highlight.ts'
import { csvTable, separatorOf } from './csv.ts'
import { isNotebook, type NotebookCell, readNotebook } from './notebook.ts'
import { csvView, notebookView } from './rendered_view.ts'

/** A file as a table or a notebook; undefined for one that is neither, or cannot be read as such. `id`: that of its blob. */
export async function renderedFile(id: string, path: string, text: string): Promise<Html | undefined> {
  const separator = separatorOf(path)
  const table = separator && csvTable(text, separator)
  if (table) return csvView(path, table)
  const notebook = isNotebook(path) ? readNotebook(text) : undefined
  if (!notebook) return undefined
  const bodies: Html[] = []
  for (const [index, cell] of notebook.cells.entries()) bodies.push(await cellBody(`${id} ${index}`, cell, notebook.language))
  return notebookView(notebook, bodies)
}

async function cellBody(id: string, { kind, source }: NotebookCell, language: string): Promise<Html> {
  if (kind === 'raw') return html`${source}`
  if (kind === 'code') {
    const lines = await highlightedLines(id, `cell.${language}`, source)
    return html`${lines.map((line, index) => html`${index > 0 && '\n'}${line}`)}`
  }
  // References stay text: links to them are for texts of the platform.
  const rendered = await renderMarkdown(source, async () => new Map()).catch(() => undefined)
  return rendered === undefined ? html`<pre>${source}</pre>` : markdownBody(rendered)
}
