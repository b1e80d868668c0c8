/** Protected branches and tags. What a role may do comes along; rights of single users and groups do not. */

import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { insertRows, insertRowsWithIds } from '../../../platform/db/statements/insert_rows.ts'
import { relationOf } from '../../archives/importing/import.ts'
import type { Row } from '../../archives/reading/row.ts'
import { byId } from '../../archives/relations/read.ts'
import type { ProjectImport } from '../importing/state.ts'

const actions = ['push', 'merge', 'unprotect'] as const

/** `protected_branches.ndjson`. */
export async function* exportProtectedBranches(db: Db, projectId: number): AsyncGenerator<object> {
  const branches = await db.selectFrom('protected_branches').selectAll().where('project_id', '=', projectId).orderBy('id').execute()
  const levels = await db
    .selectFrom('protected_branch_access_levels')
    .selectAll()
    .where('protected_branch_id', '=', anyOf(branches.map(({ id }) => id)))
    .orderBy('id')
    .execute()
  const levelsOf = byId(levels, 'protected_branch_id')
  for (const branch of branches) {
    const of = (action: string) =>
      levelsOf(branch.id)
        .filter(level => level.action === action)
        .map(({ action: _action, ...level }) => level)
    yield { ...branch, ...Object.fromEntries(actions.map(action => [`${action}_access_levels`, of(action)])) }
  }
}

/** `protected_tags.ndjson`. */
export async function* exportProtectedTags(db: Db, projectId: number): AsyncGenerator<object> {
  const tags = await db.selectFrom('protected_tags').selectAll().where('project_id', '=', projectId).orderBy('id').execute()
  const levels = await db
    .selectFrom('protected_tag_access_levels')
    .selectAll()
    .where('protected_tag_id', '=', anyOf(tags.map(({ id }) => id)))
    .orderBy('id')
    .execute()
  const levelsOf = byId(levels, 'protected_tag_id')
  for (const tag of tags) yield { ...tag, create_access_levels: levelsOf(tag.id) }
}

/** The levels of roles in a row; Maintainers where it has none that can be taken over. */
function levelsIn(row: Row, name: string): number[] {
  const found = row
    .rows(name)
    .filter(level => level.raw('user_id') == null && level.raw('group_id') == null)
    .map(level => level.maybeInteger('access_level', { max: 100 }))
    .filter(level => level === 0 || level === 30 || level === 40)
  return found.length === 0 ? [40] : [...new Set(found)]
}

/** Reads `protected_branches.ndjson` and `protected_tags.ndjson`. */
export async function importProtections(state: ProjectImport): Promise<void> {
  const { db, project, ctx } = state
  for await (const row of relationOf(state, 'protected_branches')) {
    const [protected_branch_id] = await insertRowsWithIds(db, 'protected_branches', [
      {
        project_id: project.id,
        name: row.text('name', 255),
        allow_force_push: row.flag('allow_force_push'),
        code_owner_approval_required: row.flag('code_owner_approval_required'),
        created_at: row.maybeInstant('created_at') ?? ctx.now.toISOString(),
      },
    ])
    await insertRows(
      db,
      'protected_branch_access_levels',
      actions.flatMap(action =>
        levelsIn(row, `${action}_access_levels`).map(access_level => ({
          protected_branch_id: protected_branch_id as number,
          action,
          access_level: access_level as 0 | 30 | 40,
        })),
      ),
    )
  }
  for await (const row of relationOf(state, 'protected_tags')) {
    const [protected_tag_id] = await insertRowsWithIds(db, 'protected_tags', [
      { project_id: project.id, name: row.text('name', 255), created_at: row.maybeInstant('created_at') ?? ctx.now.toISOString() },
    ])
    await insertRows(
      db,
      'protected_tag_access_levels',
      levelsIn(row, 'create_access_levels').map(access_level => ({
        protected_tag_id: protected_tag_id as number,
        access_level: access_level as 0 | 30 | 40,
      })),
    )
  }
}
