/** What the frame of every page shows of this program: the person's to-dos, and the messages of administrators. */
import { sql } from 'kysely'
import { csrfToken } from '../../platform/pages/frame/document.ts'
import type { FrameParts } from '../../platform/pages/frame/parts.ts'
import { messagesFor, messagesView, type Shown } from '../broadcast_messages/shown.ts'
import { todosOf } from '../todos/live.ts'

/** Numbers above this are shown as "999+": counting stops there. */
const MOST = 1_000

/** Messages that a page shows at most: the latest. */
const MOST_MESSAGES = 10

export const parts: FrameParts = {
  async changing({ db, actor, deps, request, now }) {
    const id = actor.user?.id ?? null
    const { rows } = await sql<{ todos: number; messages: readonly Shown[] }>`
      select (select count(*) from (select 1 from todos where user_id = ${id} and state = 'pending' limit ${MOST} ) as pending)::int as todos,
             (select coalesce(json_agg(shown), '[]')
                from (select id, message, color, font, target_path, broadcast_type, dismissable
                        from broadcast_messages
                       where ends_at > ${now} and starts_at <= ${now}
                       order by id desc
                       limit ${MOST_MESSAGES}) as shown) as messages`.execute(db)
    const { todos = 0, messages = [] } = rows[0] ?? {}
    const shown = messagesFor(messages, request.address, request.headers.cookie)
    const csrf = csrfToken(actor, deps.secrets)
    // Hiding a message leads back to the page; what a form was sent to is none.
    const back = request.method === 'GET' ? request.address : '/'
    return {
      counters: id === null ? [] : [{ label: 'To-dos', icon: 'tasklist', href: '/dashboard/todos', count: todos, hotkey: 'g t' }],
      banners: messagesView('banner', shown, csrf, back),
      notifications: messagesView('notification', shown, csrf, back),
    }
  },
  topics: userId => [todosOf(userId)],
  creations: [
    { label: 'New project', icon: 'repo', href: '/projects/new' },
    { label: 'New group', icon: 'organization', href: '/groups/new' },
  ],
}
