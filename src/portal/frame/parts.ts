/** What the frame of every page shows of this program: the person's to-dos, assigned issues and merge requests to review. */
import { sql } from 'kysely'
import type { FrameParts } from '../../platform/pages/frame/parts.ts'

/** Numbers above this are shown as "999+": counting stops there. */
const MOST = 1_000

export const parts: FrameParts = {
  async counters({ db, actor }) {
    const id = actor.user?.id
    if (id === undefined) return []
    const { rows } = await sql<{ todos: number }>`
      select (select count(*) from (select 1 from todos where user_id = ${id} and state = 'pending' limit ${MOST} ) as pending)::int as todos`.execute(
      db,
    )
    return [{ label: 'To-dos', icon: 'tasklist', href: '/dashboard/todos', count: rows[0]?.todos ?? 0, hotkey: 'g t' }]
  },
  creations: [
    { label: 'New project', icon: 'repo', href: '/projects/new' },
    { label: 'New group', icon: 'organization', href: '/groups/new' },
  ],
}
