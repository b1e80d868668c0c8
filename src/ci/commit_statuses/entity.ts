/** A status of a commit as JSON (commits API at 14.0). */

import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, number, text } from '../../platform/kernel/declaration/types.ts'
import { PipelineStatus } from '../pipelines/lists/basic.ts'
import type { StatusRow } from './queries.ts'

export const CommitStatus = entity({
  name: 'CommitStatus',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    sha: text('ID of the commit'),
    ref: text('Name of the branch or tag'),
    status: described('State of the status', PipelineStatus),
    name: text('Name of the status'),
    target_url: Nullable(text('Address that the status links to; null where there is none')),
    description: Nullable(text('Description; null where there is none')),
    created_at: DateTime('When it was created'),
    started_at: Nullable(DateTime('When it began; null until then')),
    finished_at: Nullable(DateTime('When it ended; null until then')),
    allow_failure: flag('Whether the pipeline passes when this job fails'),
    coverage: Nullable(number('Coverage in percent; null where none was found')),
    // Newer than 14.0, and read by clients that report to a pipeline.
    pipeline_id: integer('ID of the pipeline'),
    author: Nullable(described('The user who set it; null where the account is deleted', Type.Object(summaryFields))),
  }),
  load: async ({ db }: Context, rows: readonly StatusRow[]) => usersById(db, idsOf(rows, 'user_id')),
  present: (row: StatusRow, users: ReadonlyMap<number, SummaryRow>, facts) => {
    const author = row.user_id === null ? undefined : users.get(row.user_id)
    return {
      id: row.id,
      sha: row.sha,
      ref: row.ref,
      status: row.status,
      name: row.name,
      // Of a job: its page.
      target_url: row.kind === 'external' ? row.target_url : `${facts.url}/${row.project_path}/-/jobs/${row.id}`,
      description: row.description,
      created_at: row.created_at,
      started_at: row.started_at,
      finished_at: row.finished_at,
      allow_failure: row.allow_failure,
      coverage: row.coverage,
      pipeline_id: row.pipeline_id,
      author: author ? presentSummary(author, facts) : null,
    }
  },
})
