/** A label as JSON, as a group and as a project sees it (labels and group labels API at 14.0). */
import Type from 'typebox'
import { parseMarkdown } from '../../collaboration/markdown/document.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { Nullable } from '../../platform/kernel/types.ts'
import { textColor } from './colors.ts'
import type { LabelRow } from './queries.ts'

/** The fields of labels embedded in other responses, when they show more than names. */
export const labelDetailFields = {
  id: Type.Integer(),
  name: Type.String(),
  description: Nullable(Type.String()),
  description_html: Nullable(Type.String()),
  color: Type.String(),
  text_color: Type.String(),
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

/** Cache of rendered descriptions: a page shows the same label many times. */
const rendered = new WeakMap<object, string>()

/** The description as safe HTML. A single paragraph has no tag, since it is shown inline. */
function descriptionHtml(row: { readonly description: string | null }): string | null {
  if (row.description === null) return null
  const known = rendered.get(row)
  if (known !== undefined) return known
  const html = parseMarkdown(row.description).html().trim()
  const line = /^<p[^>]*>((?:(?!<p|<\/p>)[\s\S])*)<\/p>$/.exec(html)?.[1] ?? html
  rendered.set(row, line)
  return line
}

/** Usage counts, in lists only on request. */
const counts = {
  open_issues_count: Type.Optional(Type.Integer()),
  closed_issues_count: Type.Optional(Type.Integer()),
  open_merge_requests_count: Type.Optional(Type.Integer()),
}

const fields = { ...labelDetailFields, ...counts, subscribed: Type.Boolean() }

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
  schema: Type.Object({ ...fields, priority: Nullable(Type.Integer()), is_project_label: Type.Boolean() }),
  present: (row: LabelRow) => ({ ...present(row), priority: row.priority, is_project_label: row.project_id !== null }),
})
