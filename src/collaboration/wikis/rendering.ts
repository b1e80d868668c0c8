/** Pages of wikis as HTML. Markdown and AsciiDoc are rendered; other formats are shown as they are written. */
import type { Context } from '../../platform/kernel/context.ts'
import { MARKDOWN_LENGTH } from '../markdown/document.ts'
import { linksOf } from '../markdown/links.ts'
import { renderAsciidoc, renderMarkdown } from '../markdown/reading.ts'
import { withWikiLinks } from './links.ts'
import type { PageWithContent } from './queries.ts'
import type { Wiki } from './repository.ts'

/** The formats that are rendered. */
export const isRendered = (format: string): boolean => format === 'markdown' || format === 'asciidoc'

/** A page as safe HTML. Its links lead to pages of the same wiki. What is too long or too complex to be rendered is shown as it is written. */
export async function renderPage(ctx: Context, { home, base }: Wiki, { slug, format, content }: PageWithContent): Promise<string> {
  const html = await bodyOf(ctx, home, format, content)
  return html === undefined ? `<pre>${escaped(content)}</pre>` : withWikiLinks(html, { base, slug })
}

async function bodyOf(ctx: Context, home: Wiki['home'], format: string, content: string): Promise<string | undefined> {
  if (!isRendered(format) || content.length > MARKDOWN_LENGTH) return undefined
  const rendered = format === 'asciidoc' ? renderAsciidoc(content) : renderMarkdown(content, references => linksOf(ctx, home, references))
  return rendered.catch(error => {
    ctx.log.info({ err: error }, 'a page of a wiki was not rendered')
    return undefined
  })
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
