/** Reads of the pipelines of merge requests. */
import { sql } from 'kysely'
import { type PipelineRow, pipelines, pipelinesById } from '../../ci/pipelines/queries.ts'
import { projectsWithOpenPipelines } from '../../ci/pipelines/rights/visible.ts'
import { idsOf } from '../../identity/users/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { MergeRequestRow } from '../merge_requests/queries.ts'

/**
 * The head pipeline of each merge request by id: the pipeline of its newest commit, preferring a merge request pipeline over a branch
 * pipeline. Merge requests whose newest commit has no pipeline are missing. Two statements.
 */
export async function headPipelinesOf(db: Db, mergeRequests: readonly { readonly id: number }[]): Promise<Map<number, PipelineRow>> {
  if (mergeRequests.length === 0) return new Map()
  const { rows } = await sql<{ merge_request_id: number; id: number }>`
    ${genericPlan} select m.id as merge_request_id, head.id
      from merge_requests m cross join lateral (
        (select p.id, 0 as place from pipelines p
          where p.merge_request_id = m.id and p.sha = m.head_sha and p.source = 'merge_request_event' order by p.id desc limit 1)
        union all
        (select p.id, 1 from pipelines p
          where p.project_id = m.source_project_id and p.sha = m.head_sha and p.ref = m.source_branch and not p.tag
            and p.parent_id is null order by p.id desc limit 1)
        order by place limit 1
      ) head
     where m.id = any(${mergeRequests.map(({ id }) => id)}::bigint[])`.execute(db)
  const found = await pipelinesById(
    db,
    rows.map(({ id }) => id),
  )
  return new Map(rows.flatMap(row => (found.has(row.id) ? [[row.merge_request_id, found.get(row.id) as PipelineRow] as const] : [])))
}

/** Those of the head pipelines that the caller may read, by merge request id. Three statements. */
export async function readableHeadPipelines(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  mergeRequests: readonly { readonly id: number }[],
): Promise<Map<number, PipelineRow>> {
  const all = await headPipelinesOf(db, mergeRequests)
  const open = await projectsWithOpenPipelines(db, actor, idsOf([...all.values()], 'project_id'))
  return new Map([...all].filter(([, { project_id }]) => open.has(project_id)))
}

/** Merge request pipelines, and pipelines of the source branch at the merge request's commits, newest first. Only in its own project. */
export const pipelinesOfMergeRequest = (db: Db, { id, project_id, source_project_id, source_branch }: MergeRequestRow) =>
  pipelines(db)
    .where('pipelines.project_id', '=', project_id)
    .where(({ or, and, eb, selectFrom }) =>
      or([
        eb('pipelines.merge_request_id', '=', id),
        and([
          eb('pipelines.project_id', '=', source_project_id),
          eb('pipelines.ref', '=', source_branch),
          eb('pipelines.tag', '=', false),
          eb('pipelines.source', 'not in', ['parent_pipeline', 'merge_request_event']),
          eb(
            'pipelines.sha',
            'in',
            selectFrom('merge_request_versions').select('head_commit_sha').where('merge_request_versions.merge_request_id', '=', id),
          ),
        ]),
      ]),
    )
    .orderBy('pipelines.id', 'desc')

/**
 * The pipeline that reports of a merge request are compared with: the newest of the target branch for the commit that the change begins at.
 * Undefined where that commit has none.
 */
export const basePipelineOf = (
  db: Db,
  { project_id, target_branch }: Pick<MergeRequestRow, 'project_id' | 'target_branch'>,
  baseSha: string,
): Promise<PipelineRow | undefined> =>
  pipelines(db)
    .where('pipelines.project_id', '=', project_id)
    .where('pipelines.sha', '=', baseSha)
    .where('pipelines.ref', '=', target_branch)
    .where('pipelines.tag', '=', false)
    .where('pipelines.parent_id', 'is', null)
    .orderBy('pipelines.id', 'desc')
    .limit(1)
    .executeTakeFirst()
