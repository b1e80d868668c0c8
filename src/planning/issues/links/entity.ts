/** Links between issues as JSON (issue links API at 14.0). */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { DateTime, described, integer, text } from '../../../platform/kernel/declaration/types.ts'
import { Issue } from '../entity.ts'
import type { IssueRow } from '../queries.ts'
import type { LinkedIssueRow, LinkType } from './queries.ts'

type Loaded = Parameters<typeof Issue.present>[1]

/** A linked issue, with its link to the requested issue. */
export const LinkedIssue = entity({
  name: 'LinkedIssue',
  schema: Type.Object({
    ...Issue.schema.properties,
    issue_link_id: integer('ID of the link'),
    link_type: text('`relates_to`, `blocks` or `is_blocked_by`'),
    link_created_at: DateTime('When the link was made'),
    link_updated_at: DateTime('When the link was last changed'),
  }),
  load: Issue.load!,
  present: (row: LinkedIssueRow, loaded: Loaded, facts) => ({
    ...Issue.present(row, loaded, facts),
    issue_link_id: row.issue_link_id,
    link_type: row.link_type,
    link_created_at: row.link_created_at,
    link_updated_at: row.link_updated_at,
  }),
})

/** A link with both of its issues, seen from the source. */
export interface Link {
  readonly source: IssueRow
  readonly target: IssueRow
  readonly link_type: LinkType
}

export const IssueLink = entity({
  name: 'IssueLink',
  schema: Type.Object({
    source_issue: described('The issue that is linked', Issue.schema),
    target_issue: described('The issue that it is linked to', Issue.schema),
    link_type: text('`relates_to`, `blocks` or `is_blocked_by`'),
  }),
  load: (ctx, rows: readonly Link[]) =>
    Issue.load!(
      ctx,
      rows.flatMap(({ source, target }) => [source, target]),
    ),
  present: ({ source, target, link_type }: Link, loaded: Loaded, facts) => ({
    source_issue: Issue.present(source, loaded, facts),
    target_issue: Issue.present(target, loaded, facts),
    link_type,
  }),
})
