/**
 * What the instance knows of a person, as relations of an archive. Every column is named: no secret, no digest of one, no note of administrators, and no
 * address of another person who did something to the account. What stands in places that the person may not see any more is named without its
 * texts: others may have changed them since.
 */
import { type RawBuilder, sql } from 'kysely'
import { noteableKind, noteableKinds } from '../../collaboration/item_kinds/item_kind.ts'
import type { NoteableNoun } from '../../collaboration/item_kinds/kinds.ts'
import { internalNoteVisible } from '../../collaboration/notes/internal.ts'
import { anySnippetVisibleTo } from '../../collaboration/snippets/visible.ts'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { UserActor } from '../../platform/access/actor.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Db } from '../../platform/db/connection.ts'

/** A statement whose rows have an `id`, by which they are read in parts. */
type Relation = RawBuilder<{ readonly id: number }>

/** Rows of a relation that an archive has at most: the newest ones. */
export const MOST_ROWS = 200_000

const PAGE = 1_000

/** Items of one kind that the actor may see: a condition on `column`. */
function seen(actor: UserActor, noun: NoteableNoun, column: string): RawBuilder<boolean> {
  const kind = noteableKind(noun)
  return sql<boolean>`${sql.ref(column)} in (select ${sql.table(kind.table)}.id from ${sql.raw(kind.from)} where ${kind.visible(actor)})`
}

/** Is what the note is on visible, and the note itself, if it is internal? */
const noteSeen = (actor: UserActor): RawBuilder<boolean> => {
  const on = noteableKinds.value.map(({ noun, key }) => seen(actor, noun, `notes.${key}`))
  return sql<boolean>`((${sql.join(on, sql` or `)}) and ${internalNoteVisible(actor)})`
}

/** A text where the condition holds, else null. */
const where = (condition: RawBuilder<boolean>, column: string) => sql`case when ${condition} then ${sql.ref(column)} end`

/** The relations by the names of their files. */
export function relationsOf(actor: UserActor): Readonly<Record<string, Relation>> {
  const { id } = actor.user
  const issueSeen = seen(actor, 'issue', 'issues.id')
  const mergeRequestSeen = seen(actor, 'merge_request', 'merge_requests.id')
  const epicSeen = seen(actor, 'epic', 'epics.id')
  const snippetSeen = anySnippetVisibleTo(actor)
  const codeSeen = sql<boolean>`feed_entries.project_id in (${projectsAllowing(actor, 'read_code', sql`projects.id = feed_entries.project_id`)})`
  return {
    account: sql`select users.id, username, name, email, unconfirmed_email, public_email, commit_email, state, admin, external, private_profile,
        can_create_group, projects_limit, bio, location, organization, job_title, pronouns, website_url, skype, linkedin, twitter, preferences,
        two_factor_enabled, sign_in_count, current_sign_in_at, current_sign_in_ip, last_sign_in_at, last_sign_in_ip, last_activity_on, confirmed_at,
        created_at, updated_at, (select json_build_object('emoji', s.emoji, 'message', s.message, 'availability', s.availability)
          from user_statuses s where s.user_id = users.id) as status
      from users where users.id = ${id}`,
    emails: sql`select id, email, confirmed_at, created_at from emails where user_id = ${id}`,
    ssh_keys: sql`select id, title, key, fingerprint_sha256, created_at, expires_at, last_used_at from keys where user_id = ${id}`,
    gpg_keys: sql`select id, key, fingerprint, created_at from gpg_keys where user_id = ${id}`,
    identities: sql`select id, provider, extern_uid, created_at from identities where user_id = ${id}`,
    second_factors: sql`select id, name, passkey, created_at, last_used_at from webauthn_credentials where user_id = ${id}`,
    access_tokens: sql`select id, name, scopes, impersonation, revoked, expires_at, last_used_at, created_at
      from personal_access_tokens where user_id = ${id}`,
    authorized_applications: sql`select t.id, a.name as application, t.scopes, t.created_at, t.last_used_at, t.revoked_at
      from oauth_access_tokens t left join oauth_applications a on a.id = t.application_id where t.user_id = ${id}`,
    sessions: sql`select id, ip_address, user_agent, provider, created_at, expires_at from sessions where user_id = ${id}`,
    memberships: sql`select m.id, case when m.project_id is null then 'group' else 'project' end as kind, r.path, m.access_level, m.expires_at, m.created_at
      from members m join routes r on r.namespace_id = m.namespace_id or r.project_id = m.project_id where m.user_id = ${id} and ${isCurrentMembership()}`,
    projects: sql`select p.id, r.path, p.visibility, p.created_at from projects p join namespaces n on n.id = p.namespace_id
      join routes r on r.project_id = p.id where n.owner_id = ${id}`,
    issues: sql`select issues.id, issues.project_id, issues.iid, issues.state, issues.confidential, issues.created_at, issues.updated_at, issues.closed_at,
        ${where(issueSeen, 'issues.title')} as title, ${where(issueSeen, 'issues.description')} as description
      from issues where issues.author_id = ${id}`,
    merge_requests: sql`select merge_requests.id, merge_requests.project_id, merge_requests.iid, merge_requests.state, merge_requests.created_at,
        merge_requests.updated_at, merge_requests.merged_at, ${where(mergeRequestSeen, 'merge_requests.title')} as title,
        ${where(mergeRequestSeen, 'merge_requests.description')} as description
      from merge_requests where merge_requests.author_id = ${id}`,
    epics: sql`select epics.id, epics.namespace_id, epics.iid, epics.state, epics.created_at, epics.updated_at,
        ${where(epicSeen, 'epics.title')} as title, ${where(epicSeen, 'epics.description')} as description
      from epics where epics.author_id = ${id}`,
    comments: sql`select notes.id, notes.issue_id, notes.merge_request_id, notes.epic_id, notes.snippet_id, notes.commented_commit_id, notes.confidential,
        notes.created_at, notes.updated_at, ${where(noteSeen(actor), 'notes.body')} as body
      from notes where notes.author_id = ${id} and notes.action is null`,
    draft_comments: sql`select draft_notes.id, draft_notes.merge_request_id, ${where(seen(actor, 'merge_request', 'draft_notes.merge_request_id'), 'draft_notes.note')} as body
      from draft_notes where draft_notes.author_id = ${id}`,
    snippets: sql`select snippets.id, snippets.project_id, snippets.visibility, snippets.created_at, snippets.updated_at,
        ${where(snippetSeen, 'snippets.title')} as title, ${where(snippetSeen, 'snippets.description')} as description
      from snippets where snippets.author_id = ${id}`,
    reactions: sql`select id, name, issue_id, merge_request_id, epic_id, note_id, snippet_id, created_at from award_emoji where user_id = ${id}`,
    time_spent: sql`select id, issue_id, merge_request_id, time_spent, spent_at, summary, created_at from timelogs where user_id = ${id}`,
    starred_projects: sql`select project_id as id, created_at from project_stars where user_id = ${id}`,
    followed_people: sql`select followed_id as id, created_at from user_follows where follower_id = ${id}`,
    followers: sql`select follower_id as id, created_at from user_follows where followed_id = ${id}`,
    todos: sql`select id, action, state, project_id, namespace_id, issue_id, merge_request_id, epic_id, note_id, created_at, updated_at
      from todos where user_id = ${id}`,
    notification_settings: sql`select id, namespace_id, project_id, level, events, email, created_at, updated_at
      from notification_settings where user_id = ${id}`,
    subscriptions: sql`select id, issue_id, merge_request_id, epic_id, label_id, snippet_id, subscribed, created_at from subscriptions where user_id = ${id}`,
    activity: sql`select feed_entries.id, feed_entries.project_id, feed_entries.action, feed_entries.target_type, feed_entries.target_id, feed_entries.created_at,
        ${where(codeSeen, 'feed_entries.push_data')} as push
      from feed_entries where feed_entries.author_id = ${id}`,
    pipelines: sql`select pipelines.id, pipelines.project_id, pipelines.status, pipelines.source, pipelines.created_at from pipelines where pipelines.user_id = ${id}`,
    uploads: sql`select id, project_id, filename, created_at from uploads where uploader_id = ${id} and not of_outsider`,
    // Of what others did to the account, only what and when.
    audit_log: sql`select id, kind, created_at, details, occurrences, author_id = ${id} as by_oneself,
        case when author_id = ${id} and acting_as is null then entity_path end as place,
        case when author_id = ${id} and acting_as is null then ip_address end as ip_address,
        case when author_id = ${id} and acting_as is null then user_agent end as user_agent
      from audit_events where author_id = ${id} or (entity_type = 'User' and entity_id = ${id})`,
  }
}

/** The rows of a relation, the newest first, in parts. */
export async function* rowsOf(db: Db, relation: Relation): AsyncGenerator<object, void, void> {
  let count = 0
  for (let before: number | undefined; count < MOST_ROWS; ) {
    const last = before === undefined ? sql<boolean>`true` : sql<boolean>`q.id < ${before}`
    const { rows } = await sql<{ id: number }>`select * from (${relation}) q where ${last} order by q.id desc limit ${PAGE}`.execute(db)
    for (const row of rows) yield row
    count += rows.length
    if (rows.length < PAGE) return
    before = rows.at(-1)?.id
  }
}
