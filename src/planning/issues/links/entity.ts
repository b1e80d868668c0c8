/** Links between issues as JSON (issue links API at 14.0). */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { DateTime } from '../../../platform/kernel/types.ts'
import { Issue } from '../entity.ts'
import type { IssueRow } from '../queries.ts'
import type { LinkedIssueRow, LinkType } from './queries.ts'

type Loaded = Parameters<typeof Issue.present>[1]

/** A linked issue, with its link to the requested issue. */
export const LinkedIssue = entity({
  name: 'LinkedIssue',
  schema: Type.Object({
    ...Issue.schema.properties,
    issue_link_id: Type.Integer(),
    link_type: Type.String(),
    link_created_at: DateTime(),
    link_updated_at: DateTime(),
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
  schema: Type.Object({ source_issue: Issue.schema, target_issue: Issue.schema, link_type: Type.String() }),
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
