/** A label as JSON, as a group and as a project sees it (labels and group labels API at 14.0). */
import Type from 'typebox'
import { parseMarkdown } from '../../collaboration/markdown/document.ts'
import { TextCache } from '../../collaboration/markdown/text_cache.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { flag, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import { textColor } from './colors.ts'
import type { LabelRow } from './queries.ts'

/** The fields of labels embedded in other responses, when they show more than names. */
export const labelDetailFields = {
  id: integer('ID, unique on the instance'),
  name: text('Name of the label'),
  description: Nullable(text('Description; null where there is none')),
  description_html: Nullable(text('Description as HTML; null where there is none')),
  color: text('Background colour, `#` and six hexadecimal digits'),
  text_color: text('Colour of the text that reads well on it'),
}

/** The values of `labelDetailFields`. */
export const presentLabelDetails = (row: Pick<LabelRow, 'id' | 'name' | 'description' | 'color'>) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  description_html: descriptionHtml(row),
  color: row.color,
  text_color: textColor(row.color),
})

/** Characters of descriptions as HTML that are kept. */
const KEPT = 1024 * 1024

const kept = new TextCache<string>(KEPT, html => html.length)

/** Those of rows: a page shows the same label many times. */
const rendered = new WeakMap<object, string>()

function descriptionHtml(row: { readonly description: string | null }): string | null {
  const { description } = row
  if (description === null) return null
  const known = rendered.get(row)
  if (known !== undefined) return known
  const html = kept.getNow([description], () => inlineHtml(description))
  rendered.set(row, html)
  return html
}

/** A text as safe HTML. A single paragraph has no tag, since it is shown inline. */
function inlineHtml(text: string): string {
  const html = parseMarkdown(text).html().trim()
  return /^<p[^>]*>((?:(?!<p|<\/p>)[\s\S])*)<\/p>$/.exec(html)?.[1] ?? html
}

/** Usage counts, in lists only on request. */
const counts = {
  open_issues_count: optional(integer('Number of open issues')),
  closed_issues_count: optional(integer('Number of closed issues')),
  open_merge_requests_count: optional(integer('Number of open merge requests')),
}

const fields = { ...labelDetailFields, ...counts, subscribed: flag('Whether the caller is subscribed') }

const present = (row: LabelRow) => ({
  ...presentLabelDetails(row),
  ...(row.open_issues_count !== undefined && {
    open_issues_count: row.open_issues_count,
    closed_issues_count: row.closed_issues_count as number,
    open_merge_requests_count: row.open_merge_requests_count as number,
  }),
  subscribed: row.subscribed,
})

export const GroupLabel = entity({ name: 'GroupLabel', schema: Type.Object(fields), present })

export const ProjectLabel = entity({
  name: 'ProjectLabel',
  schema: Type.Object({
    ...fields,
    priority: Nullable(integer("Rank in the label's priority; null where it has none")),
    is_project_label: flag('Whether the label belongs to the project, not to a group'),
  }),
  present: (row: LabelRow) => ({ ...present(row), priority: row.priority, is_project_label: row.project_id !== null }),
})
