/** Which pipeline speaks for a merge request: of its newest commit, the merge request's own before the source branch's. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { plannedOnce } from '../../platform/db/prepared.ts'
import { type PipelineRow, pipelinesById } from './queries.ts'

/** The head pipelines of merge requests by the merge requests' ids; none for one whose newest commit has no pipeline. Two statements. */
export async function headPipelinesOf(db: Db, mergeRequests: readonly { readonly id: number }[]): Promise<Map<number, PipelineRow>> {
  if (mergeRequests.length === 0) return new Map()
  const { rows } = await sql<{ merge_request_id: number; id: number }>`
    ${plannedOnce} select m.id as merge_request_id, head.id
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
