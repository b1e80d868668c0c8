/** The labels and milestones that serve instead of those of former groups. */
import { sql } from 'kysely'
import type { Replacement } from '../../collaboration/item_kinds/replacements.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { FormerUse } from './uses.ts'

/**
 * Those of the same name that are available in the project or group: its own, or of the nearest group. They are locked, so that none is deleted until
 * the end.
 */
export async function servingInstead(
  db: Db,
  { table, name }: { readonly table: 'labels' | 'milestones'; readonly name: 'name' | 'title' },
  uses: readonly FormerUse[],
): Promise<Replacement[]> {
  const { rows } = await sql<Replacement>`
    select used.project_id, used.namespace_id, used.from_id, serving.id as to_id
      from unnest(${uses.map(use => use.project_id)}::bigint[], ${uses.map(use => use.namespace_id)}::bigint[],
                  ${uses.map(use => use.from_id)}::bigint[]) as used(project_id, namespace_id, from_id)
      join ${sql.table(table)} former on former.id = used.from_id
      left join projects on projects.id = used.project_id
      join namespaces home on home.id = coalesce(projects.namespace_id, used.namespace_id)
     cross join lateral (
       select other.id from ${sql.table(table)} other
        where other.${sql.ref(name)} = former.${sql.ref(name)}
          and (other.project_id = used.project_id or other.namespace_id = any(home.traversal_ids))
        order by array_position(home.traversal_ids, other.namespace_id) desc nulls first
        limit 1 for key share) as serving`.execute(db)
  return rows
}
