/** The pipelines that led to a pipeline. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** Maximum number of generations. */
const MOST = 50

export interface Ancestor {
  readonly id: number
  readonly project_id: number
  readonly ref: string
  readonly source: string
}

/** A pipeline and the pipelines that started it, nearest first. One statement. */
export async function ancestorsOf(db: Db, { id }: { readonly id: number }): Promise<Ancestor[]> {
  const { rows } = await sql<Ancestor>`
    with recursive above as (
      select id, project_id, ref, source, upstream_job_id, 1 as depth from pipelines where id = ${id}
      union all
      select p.id, p.project_id, p.ref, p.source, p.upstream_job_id, above.depth + 1
        from above join jobs on jobs.id = above.upstream_job_id join pipelines p on p.id = jobs.pipeline_id
       where above.depth < ${MOST}
    )
    select id, project_id, ref, source from above order by depth`.execute(db)
  return rows
}
