/** What the frame of every page shows of this program: the person's to-dos, and the messages of administrators. */
import { sql } from 'kysely'
import { isDue } from '../../collaboration/todos/queries.ts'
import { issueVisibleTo } from '../../planning/issues/lists/visible.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { csrfToken } from '../../platform/kernel/csrf.ts'
import type { FrameParts } from '../../platform/pages/frame/parts.ts'
import { mergeRequestVisibleTo } from '../../review/merge_requests/lists/visible.ts'
import { messagesFor, messagesView, type Shown } from '../broadcast_messages/shown.ts'
import { todosOf } from '../todos/live.ts'

/** Numbers above this are shown as "999+": counting stops there. */
const MOST = 1_000

/** Messages that a page shows at most: the latest. */
const MOST_MESSAGES = 10

/** What waits for the caller: pending to-do items that are not put off, and open items that are assigned to them and that they may see. */
const countsOf = (actor: Actor, id: number, now: Date) => sql`
  (select count(*) from (
     select 1 from todos where user_id = ${id} and state = 'pending' and ${isDue(now)} limit ${MOST}) as pending)::int as todos,
  (select count(*) from (
     select 1 from issue_assignees join issues on issues.id = issue_assignees.issue_id
      where issue_assignees.user_id = ${id} and issues.state = 'opened'
        and ${issueVisibleTo(actor, sql<boolean>`projects.id = issues.project_id`)} limit ${MOST}) as assigned)::int as issues,
  (select count(*) from (
     select 1 from merge_request_assignees join merge_requests on merge_requests.id = merge_request_assignees.merge_request_id
      where merge_request_assignees.user_id = ${id} and merge_requests.state = 'opened'
        and ${mergeRequestVisibleTo(actor, sql<boolean>`projects.id = merge_requests.project_id`)} limit ${MOST}) as assigned)::int as merge_requests`

export const parts: FrameParts = {
  async changing({ db, actor, deps, request, now }) {
    const id = actor.user?.id ?? null
    const { rows } = await sql<{ todos: number; issues: number; merge_requests: number; messages: readonly Shown[] }>`
      select ${id === null ? sql`0 as todos, 0 as issues, 0 as merge_requests` : countsOf(actor, id, now)},
             (select coalesce(json_agg(shown), '[]')
                from (select id, message, color, font, target_path, broadcast_type, dismissable
                        from broadcast_messages
                       where ends_at > ${now} and starts_at <= ${now}
                       order by id desc
                       limit ${MOST_MESSAGES}) as shown) as messages`.execute(db)
    const { todos = 0, issues = 0, merge_requests = 0, messages = [] } = rows[0] ?? {}
    const shown = messagesFor(messages, request.address, request.headers.cookie)
    const csrf = csrfToken(actor, deps.secrets)
    // Hiding a message leads back to the page; what a form was sent to is none.
    const back = request.method === 'GET' ? request.address : '/'
    return {
      counters:
        id === null
          ? []
          : [
              { label: 'Issues assigned to you', icon: 'issue-opened', href: '/dashboard/issues', count: issues, hotkey: 'g a' },
              {
                label: 'Merge requests assigned to you',
                icon: 'git-pull-request',
                href: '/dashboard/merge_requests',
                count: merge_requests,
                hotkey: 'g r',
              },
              { label: 'To-dos', icon: 'tasklist', href: '/dashboard/todos', count: todos, hotkey: 'g t' },
            ],
      banners: messagesView('banner', shown, csrf, back),
      notifications: messagesView('notification', shown, csrf, back),
    }
  },
  topics: userId => [todosOf(userId)],
  creations: [
    { label: 'New project', icon: 'repo', href: '/projects/new' },
    { label: 'Import project', icon: 'download', href: '/projects/import' },
    { label: 'New group', icon: 'organization', href: '/groups/new' },
  ],
}
