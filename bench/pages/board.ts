/** A board of very many issues. */
import { sql } from 'kysely'
import { call } from '../api.ts'
import { createProject } from '../history_project.ts'
import type { RunningIngot } from '../ingot.ts'
import type { Site } from '../site.ts'
import { cookieOf } from './session.ts'

/** Open issues on it; a third each is in the list of open ones, and in those of the two labels. */
const MANY = 10_000

export interface BoardPage {
  readonly path: string
  readonly cookie: string
}

/** Makes the project, its issues and the board. */
export async function makeBoard(ingot: RunningIngot, { deps, world }: Pick<Site, 'deps' | 'world'>): Promise<BoardPage> {
  const { db } = deps.database
  const { id } = await createProject(ingot, 'planned')
  const api = `/projects/${id}`
  const labels: number[] = []
  for (const name of ['next', 'doing'])
    labels.push((await call<{ id: number }>(ingot, 'POST', `${api}/labels`, { name, color: '#1f75cb' })).body.id)
  const { body: board } = await call<{ id: number }>(ingot, 'POST', `${api}/boards`, { name: 'Many' })
  for (const label_id of labels) await call(ingot, 'POST', `${api}/boards/${board.id}/lists`, { label_id })
  await call(ingot, 'POST', `${api}/issues`, { title: 'The first' })
  // The others are rows: thousands of requests would take longer than all measurements.
  await sql`insert into issues (iid, project_id, author_id, title, created_at, updated_at)
    select i, project_id, author_id, 'Mend part ' || i, created_at + i * interval '1 second', updated_at + i * interval '1 second'
      from issues, generate_series(2, ${sql.lit(MANY)}) i where project_id = ${id} and iid = 1`.execute(db)
  await sql`insert into issue_labels (issue_id, label_id)
    select issues.id, (${labels}::bigint[])[iid % 3] from issues where project_id = ${id} and iid % 3 > 0`.execute(db)
  await sql`update iid_counters set value = ${MANY} where project_id = ${id} and noun = 'issue'`.execute(db)
  await sql`update projects set open_issues_count = ${MANY} where id = ${id}`.execute(db)
  await sql`analyze issues, issue_labels`.execute(db)
  return { path: `/root/planned/-/boards/${board.id}`, cookie: await cookieOf(deps, world.userId) }
}
