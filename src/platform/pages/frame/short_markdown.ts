/** Short texts that administrators write for all: emphasis, links, lists and code, without pictures. */
import MarkdownIt from 'markdown-it'
import { Html } from '../html.ts'

/** HTML in the text stays text; images, which would show others who reads, are none of the rules. */
const markdown = MarkdownIt('zero', { html: false, breaks: true, linkify: true }).enable([
  'autolink',
  'backticks',
  'emphasis',
  'entity',
  'escape',
  'link',
  'linkify',
  'list',
  'newline',
  'strikethrough',
])
markdown.linkify.set({ fuzzyLink: false, fuzzyIP: false })

/** Rendered texts: what is rendered follows from the text alone. */
const rendered = new Map<string, Html>()
const MOST_RENDERED = 100

/** Such a text as HTML. */
export function shortMarkdown(text: string): Html {
  const known = rendered.get(text)
  if (known) return known
  if (rendered.size >= MOST_RENDERED) rendered.clear()
  const made = Html.trusted(markdown.render(text))
  rendered.set(text, made)
  return made
}
