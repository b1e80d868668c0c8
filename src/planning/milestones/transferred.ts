/** Milestones of former groups, for projects and groups that were moved away from these. */
import { sql } from 'kysely'
import type { CopiedInto } from '../../collaboration/item_kinds/replacements.ts'
import type { Db } from '../../platform/db/connection.ts'
import { allocateIidsIn } from '../../spaces/places/iids.ts'

/**
 * Copies milestones with their dates and states into projects and groups, where they get the next iids. A concurrent request may have created one of
 * the title: that one remains.
 */
export async function copyMilestones(db: Db, copies: readonly CopiedInto[], now: Date): Promise<void> {
  const numbered = [...(await withIids(db, 'project_id', copies)), ...(await withIids(db, 'namespace_id', copies))]
  await sql`insert into milestones (iid, project_id, namespace_id, title, description, state, start_date, due_date, created_at, updated_at)
    select copied.iid, copied.project_id, copied.namespace_id, former.title, former.description, former.state, former.start_date, former.due_date,
           ${now}::timestamptz, ${now}::timestamptz
      from unnest(${numbered.map(copy => copy.iid)}::bigint[], ${numbered.map(copy => copy.project_id)}::bigint[],
                  ${numbered.map(copy => copy.namespace_id)}::bigint[], ${numbered.map(copy => copy.from_id)}::bigint[])
             as copied(iid, project_id, namespace_id, from_id)
      join milestones former on former.id = copied.from_id
     order by copied.project_id, copied.namespace_id, copied.iid
    on conflict do nothing`.execute(db)
}

/** Those of the copies that go into projects, or into groups, with their iids. */
async function withIids(db: Db, column: 'project_id' | 'namespace_id', copies: readonly CopiedInto[]) {
  const byPlace = Map.groupBy(
    copies.filter(copy => copy[column] !== null),
    copy => copy[column] as number,
  )
  const last = await allocateIidsIn(db, column, 'milestone', new Map([...byPlace].map(([id, { length }]) => [id, length])))
  return [...byPlace].flatMap(([id, ofPlace]) =>
    ofPlace.map((copy, index) => ({ ...copy, iid: (last.get(id) as number) - ofPlace.length + 1 + index })),
  )
}
