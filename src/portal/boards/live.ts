/** The pages of boards follow their issues, and the boards themselves. */
import { sql } from 'kysely'
import type { BoardRow } from '../../planning/boards/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { changedIn, openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject, inGroup } from '../../spaces/groups/scope.ts'
import { projectAllowing } from '../../spaces/projects/scope.ts'

/** The topic of the issues of a group's projects, at any depth. */
export const groupIssuesTopicOf = ({ id }: { readonly id: number }): Topic => `group_issues:${id}`

/** `group_issues:<id of the group>` */
export const groupIssuesTopic: TopicKind = {
  isOpen: openBy(inGroup, 'read_group', id => ({ id: String(id) })),
  async hasChanged({ db }, id, since) {
    const { rows } = await sql<{ changed: boolean }>`
      select exists (select from projects p join namespaces n on n.id = p.namespace_id
        where n.traversal_ids @> array[${id}::bigint]
          and exists (select from issues where issues.project_id = p.id and issues.updated_at >= ${since})) as changed`.execute(db)
    return rows[0]?.changed === true
  },
}

/** The topic of a board: its name, what it is narrowed to, and its lists. */
export const boardTopicOf = ({ id }: Pick<BoardRow, 'id'>): Topic => `board:${id}`

async function mayReadBoard({ db, actor }: Context, id: number): Promise<boolean> {
  const board = await db.selectFrom('boards').select(['project_id', 'namespace_id']).where('id', '=', id).executeTakeFirst()
  if (!board) return false
  if (board.namespace_id !== null) {
    const group = await visibleGroup(db, actor, String(board.namespace_id))
    return group !== undefined && allows(actor, 'read_group_board', groupSubject(group)) === 'yes'
  }
  return (await projectAllowing({ db, actor }, String(board.project_id), 'read_board')) !== undefined
}

/** `board:<id>` */
export const boardTopic: TopicKind = { isOpen: mayReadBoard, hasChanged: changedIn('boards', 'id') }
