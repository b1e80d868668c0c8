/** Texts of items as HTML: all texts of a page together, so that their references cost a fixed number of statements. */
import type { ReferenceLink } from '../../collaboration/markdown/document.ts'
import { linksOf, projectOf, type TextHome } from '../../collaboration/markdown/links.ts'
import { readMarkdown, renderMarkdown } from '../../collaboration/markdown/reading.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { escapeHtml, type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { markdownBody } from '../markdown/body.ts'

/** Shows a text that is too complex to be read as Markdown as it was written. */
const asWritten = (text: string) => (error: unknown) => {
  if (error instanceof Refusal) return html`<pre class="message">${text}</pre>`
  throw error
}

/** Files that were attached to a text are named from the root of its project. In sanitised HTML only attributes have these quotes. */
const withUploads = (project: ProjectWithRole, rendered: string): string =>
  rendered.replaceAll(
    / (src|href)="\/uploads\//g,
    (_whole, name: string) => ` ${name}="${escapeHtml(encodeURI(projectPath(project, '/uploads/')))}`,
  )

/** References to items that are not open say so: `#12 (closed)`. */
const withStates = (links: ReadonlyMap<string, ReferenceLink>): ReadonlyMap<string, ReferenceLink> =>
  new Map(
    [...links].map(([reference, { state, ...link }]) => [
      reference,
      state === 'closed' || state === 'merged' ? { ...link, text: `${link.text ?? reference} (${state})` } : link,
    ]),
  )

/**
 * Renders texts of the items of a project or group for the caller.
 * @param home where the texts stand
 * @returns the HTML of each, in the given order
 */
export async function renderTexts(ctx: Context, home: TextHome, texts: readonly string[]): Promise<readonly Html[]> {
  const read = await Promise.all(
    texts.map(text =>
      readMarkdown(text).then(
        ({ references }) => references,
        error => {
          if (error instanceof Refusal) return []
          throw error
        },
      ),
    ),
  )
  const references = read.flat()
  const links = references.length === 0 ? new Map<string, never>() : withStates(await linksOf(ctx, home, references))
  const project = projectOf(home)
  const shown = (rendered: string) => markdownBody(project ? withUploads(project, rendered) : rendered)
  return Promise.all(texts.map(text => renderMarkdown(text, async () => links).then(shown, asWritten(text))))
}
