/** An issue within its epic as JSON (epic issues API at 14.0). */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { described, integer } from '../../../platform/kernel/declaration/types.ts'
import { Issue, IssueDetails } from '../../issues/entity.ts'
import type { IssueRow } from '../../issues/queries.ts'
import { Epic } from '../entity.ts'
import type { EpicIssue } from './commands.ts'

type LoadedIssues = Parameters<typeof IssueDetails.present>[1]

/** An issue in the list of an epic, with the id of the association and its position, from 0. */
export const IssueOfEpic = entity({
  name: 'IssueOfEpic',
  schema: Type.Object({
    ...IssueDetails.schema.properties,
    epic_issue_id: integer('ID of the association of epic and issue'),
    relative_position: integer('Rank within the epic'),
  }),
  load: (ctx: Context, rows: readonly IssueRow[]) => IssueDetails.load!(ctx, rows),
  present: (row: IssueRow, loaded: LoadedIssues, facts) => ({
    ...IssueDetails.present(row, loaded, facts),
    epic_issue_id: row.id,
    relative_position: row.epic_position,
  }),
})

/** The association of an issue with an epic. */
export const EpicIssueLink = entity({
  name: 'EpicIssueLink',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    epic: described('The epic; null where there is none', Epic.schema),
    issue: described('The issue', Issue.schema),
    relative_position: integer('Rank within the epic'),
  }),
  load: async (ctx: Context, rows: readonly EpicIssue[]) => ({
    epics: await Epic.load!(
      ctx,
      rows.map(row => row.epic),
    ),
    issues: await Issue.load!(
      ctx,
      rows.map(row => row.issue),
    ),
  }),
  present: ({ epic, issue }: EpicIssue, loaded, facts) => ({
    id: issue.id,
    epic: Epic.present(epic, loaded.epics, facts),
    issue: Issue.present(issue, loaded.issues, facts),
    relative_position: issue.epic_position,
  }),
})
