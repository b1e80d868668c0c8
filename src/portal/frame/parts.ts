/** What the frame of every page shows of this program: the person's to-dos, and the messages of administrators. */
import { type RawBuilder, sql } from 'kysely'
import { waitingTodos } from '../../collaboration/todos/queries.ts'
import { fewIssuesVisibleTo } from '../../planning/issues/lists/visible.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { compilableUser, type PersonKind, personKind, personOfKind, rolesAmong } from '../../platform/access/visible.ts'
import { type FrameAppearance, frameAppearance } from '../../platform/appearance/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { compiledPer } from '../../platform/db/statements/compiled.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { csrfToken } from '../../platform/kernel/csrf.ts'
import { SECOND_FACTOR_PAGE } from '../../platform/kernel/errors.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import type { FrameParts } from '../../platform/pages/frame/parts.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { fewMergeRequestsVisibleTo } from '../../review/merge_requests/lists/visible.ts'
import { appearanceShown } from '../appearance/shown.ts'
import { messagesFor, messagesView, type Shown } from '../broadcast_messages/shown.ts'
import { OWN_MERGE_REQUESTS, reviewsPath } from '../merge_requests/lists/own.ts'
import { presentAddress } from '../places/former_addresses.ts'
import { todosOf } from '../todos/live.ts'

/** Numbers above this are shown as "999+": counting stops there. */
const MOST = 1_000

/** Messages that a page shows at most: the latest. */
const MOST_MESSAGES = 10

/** Open issues that are assigned to the caller. */
const assignedIssues = (id: number) => sql`
  issue_assignees join issues on issues.id = issue_assignees.issue_id
   where issue_assignees.user_id = ${id} and issues.state = 'opened'`

/** Open merge requests that name the caller in a table of people. */
const mergeRequestsNaming = (table: 'merge_request_assignees' | 'merge_request_reviewers', id: number) => sql`
  ${sql.table(table)} as named join merge_requests on merge_requests.id = named.merge_request_id
   where named.user_id = ${id} and merge_requests.state = 'opened'`

/** Parts of a statement: what it begins with, and what it selects. */
interface Counts {
  readonly held: RawBuilder<unknown>
  readonly columns: RawBuilder<unknown>
}

const nothing: Counts = { held: sql``, columns: sql`0 as todos, 0 as issues, 0 as merge_requests, 0 as reviews` }

/**
 * What waits for the caller: pending to-do items that are not put off, open items that are assigned to them, and merge requests whose reviewer they
 * are (`reviews`: those of them that are not counted as assigned); of all these those they may see.
 */
function countsOf(db: Db, actor: Actor, id: number, now: Date): Counts {
  const [assigned, reviewed] = [mergeRequestsNaming('merge_request_assignees', id), mergeRequestsNaming('merge_request_reviewers', id)]
  const { held, known } = rolesAmong(
    actor,
    sql`select issues.project_id from ${assignedIssues(id)}
         union all select merge_requests.project_id from ${assigned}
         union all select merge_requests.project_id from ${reviewed}`,
  )
  const isVisible = fewMergeRequestsVisibleTo(actor, known)
  return {
    held: sql`with ${held}`,
    columns: sql`
      (select count(*) from (${waitingTodos(db, actor, id, now).limit(sql.lit(MOST))}) as pending)::int as todos,
      (select count(*) from (
         select 1 from ${assignedIssues(id)} and ${fewIssuesVisibleTo(actor, known)} limit ${sql.lit(MOST)}) as assigned)::int as issues,
      (select count(*) from (select 1 from ${assigned} and ${isVisible} limit ${sql.lit(MOST)}) as assigned)::int as merge_requests,
      (select count(*) from (
         select 1 from ${reviewed} and ${isVisible}
            and not exists (select from merge_request_assignees as assigned
                             where assigned.merge_request_id = merge_requests.id and assigned.user_id = ${id})
          limit ${sql.lit(MOST)}) as reviewed)::int as reviews`,
  }
}

/** The numbers and messages of a frame, for a user or for nobody. */
function changingFor(db: Db, actor: Actor, id: number | null, now: Date) {
  const { held, columns } = id === null ? nothing : countsOf(db, actor, id, now)
  return sql<Changing>`${genericPlan} ${held}
  select ${columns},
         (select coalesce(json_agg(shown), '[]')
            from (select id, message, color, font, target_path, broadcast_type, dismissable
                    from broadcast_messages
                   where ends_at > ${now} and starts_at <= ${now}
                   order by id desc
                   limit ${sql.lit(MOST_MESSAGES)}) as shown) as messages,
         ${frameAppearance} as appearance`
}

interface Changing {
  readonly todos: number
  readonly issues: number
  readonly merge_requests: number
  readonly reviews: number
  readonly messages: readonly Shown[]
  readonly appearance: FrameAppearance
}

/** Every page asks this: it is built once for each kind of user. */
const changingOfKind = compiledPer((kind: PersonKind) => (db, id: number, now: Date) => changingFor(db, personOfKind(kind, id), id, now))

async function changingOf({ db, actor, now }: Pick<Context, 'db' | 'actor' | 'now'>): Promise<Changing> {
  const user = compilableUser(actor)
  const rows = user
    ? await changingOfKind(db, personKind(user), user.id, now)
    : (await changingFor(db, actor, actor.user?.id ?? null, now).execute(db)).rows
  return rows[0] as Changing
}

/** Says that a second factor must be set up, and until when. */
function secondFactorNotice({ credential }: Actor, now: Date): Html | undefined {
  const due = credential?.kind === 'session' ? credential.secondFactorDue : undefined
  if (due === undefined) return undefined
  const until =
    due > now.getTime() ? html` until ${time(new Date(due).toISOString())}; then nothing else opens` : html` before anything else opens`
  return html`<div class="notice attention second-factor-notice" role="status">${icon('shield-lock')}<span>Your account must have two-factor authentication. <a href="${SECOND_FACTOR_PAGE}">Set it up</a>${until}.</span></div>`
}

export const parts: FrameParts = {
  async changing({ db, actor, deps, request, now }) {
    const id = actor.user?.id ?? null
    const { todos, issues, merge_requests, reviews, messages, appearance } = await changingOf({ db, actor, now })
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
                label: 'Merge requests that wait for you',
                icon: 'git-pull-request',
                // Where something is.
                href: merge_requests === 0 && reviews > 0 ? reviewsPath(actor.user?.username ?? '') : OWN_MERGE_REQUESTS,
                count: merge_requests + reviews,
                hotkey: 'g r',
              },
              { label: 'To-dos', icon: 'tasklist', href: '/dashboard/todos', count: todos, hotkey: 'g t' },
            ],
      banners: html`${secondFactorNotice(actor, now)}${messagesView('banner', shown, csrf, back)}`,
      notifications: messagesView('notification', shown, csrf, back),
      appearance: appearanceShown(appearance),
    }
  },
  topics: userId => [todosOf(userId)],
  creations: [
    { label: 'New project', icon: 'repo', href: '/projects/new' },
    { label: 'Import project', icon: 'download', href: '/projects/import' },
    { label: 'New group', icon: 'organization', href: '/groups/new' },
    { label: 'New snippet', icon: 'code', href: '/-/snippets/new' },
  ],
  presentAddress,
}
