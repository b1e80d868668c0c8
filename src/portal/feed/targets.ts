/**
 * The targets of feed entries: the name of each kind, its visibility, and the number and title of its items. A new kind of target needs a
 * line here, and its events in src/platform/events/feed.ts.
 */
import { type RawBuilder, sql } from 'kysely'
import { internalNoteVisibleIn } from '../../collaboration/notes/internal.ts'
import { openByItself } from '../../collaboration/snippets/visible.ts'
import { wikiPagesById } from '../../collaboration/wikis/queries.ts'
import { type Ability, roles } from '../../platform/access/abilities.ts'
import { rowAllows } from '../../platform/access/ability_conditions.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { FeedTarget } from '../../platform/events/feed.ts'

/** A target's number within its project, and its title. */
export interface TargetName {
  readonly iid: number | null
  readonly title: string | null
  /** Of a page of a wiki. */
  readonly page?: { readonly slug: string; readonly title: string; readonly format: string }
}

interface Target {
  /** Its name in answers; null if entries do not name it. */
  readonly shownAs: string | null
  /** May the actor see the entry's target? `seen` is the entry's project (queries.ts), `feed_entries` the entry. */
  readonly visible: (actor: Actor) => RawBuilder<boolean>
  /** Numbers and titles by id: one statement for a page. */
  readonly names: (db: Db, ids: readonly number[]) => Promise<Map<number, TargetName>>
}

/** May the actor do this in the project `seen`? */
export const may = (actor: Actor, ability: Ability): RawBuilder<boolean> => rowAllows(actor, ability, 'seen')

const byId = <Row extends TargetName & { readonly id: number }>(rows: readonly Row[]): Map<number, TargetName> =>
  new Map(rows.map(({ id, iid, title, page }) => [id, { iid, title, ...(page && { page }) }]))

/** Confidential issues are visible to their author and assignees, and from Reporter up (decision 34). */
function readsConfidential(actor: Actor): RawBuilder<boolean> {
  const userId = actor.user?.id ?? null
  if (isAdmin(actor)) return sql`true`
  return sql`(seen.role >= ${sql.lit(roles.reporter)} or issues.author_id = ${userId}::bigint
    or exists (select from issue_assignees where issue_assignees.issue_id = issues.id and issue_assignees.user_id = ${userId}::bigint))`
}

const issueVisible = (actor: Actor): RawBuilder<boolean> =>
  sql`(${may(actor, 'read_issue')} and exists (
    select from issues where issues.id = feed_entries.target_id and (not issues.confidential or ${readsConfidential(actor)})))`

/** Snippets that only members see are visible to those who have a role, and to their author. */
const snippetVisible = (actor: Actor): RawBuilder<boolean> =>
  sql`(${openByItself(actor)} or seen.role >= ${sql.lit(roles.guest)} or ${sql.lit(isAdmin(actor))})`

/** A note is visible with its noteable; an internal one from Reporter up. */
const noteVisible = (actor: Actor): RawBuilder<boolean> =>
  sql`(${may(actor, 'read_merge_request')} and exists (
    select from notes where notes.id = feed_entries.target_id and notes.merge_request_id is not null
      and ${internalNoteVisibleIn(actor, 'merge_request', 'seen')})
  or ${may(actor, 'read_issue')} and exists (
    select from notes join issues on issues.id = notes.issue_id
    where notes.id = feed_entries.target_id and ${internalNoteVisibleIn(actor, 'issue', 'seen')}
      and (not issues.confidential or ${readsConfidential(actor)}))
  or ${may(actor, 'read_code')} and exists (
    select from notes where notes.id = feed_entries.target_id and notes.commented_commit_id is not null
      and ${internalNoteVisibleIn(actor, 'commit', 'seen')})
  or ${may(actor, 'read_snippet')} and exists (
    select from notes join snippets on snippets.id = notes.snippet_id
    where notes.id = feed_entries.target_id and ${internalNoteVisibleIn(actor, 'snippet', 'seen')} and ${snippetVisible(actor)}))`

/** The kinds of targets. */
export const targets: Readonly<Partial<Record<FeedTarget, Target>>> = {
  // Contract: an entry about the project itself names no target (events API).
  project: { shownAs: null, visible: actor => may(actor, 'read_project'), names: async () => new Map() },
  issue: {
    shownAs: 'Issue',
    visible: issueVisible,
    names: async (db, ids) => byId(await db.selectFrom('issues').select(['id', 'iid', 'title']).where('id', '=', anyOf(ids)).execute()),
  },
  note: {
    shownAs: 'Note',
    visible: noteVisible,
    // Contract: a note has no number within its project, so its id is used; its title is that of its noteable (events API).
    names: async (db, ids) =>
      byId(
        await db
          .selectFrom('notes')
          .leftJoin('issues', 'issues.id', 'notes.issue_id')
          .leftJoin('merge_requests', 'merge_requests.id', 'notes.merge_request_id')
          .leftJoin('commented_commits', 'commented_commits.id', 'notes.commented_commit_id')
          .leftJoin('snippets', 'snippets.id', 'notes.snippet_id')
          .select([
            'notes.id',
            'notes.id as iid',
            sql<string>`coalesce(issues.title, merge_requests.title, commented_commits.title, snippets.title)`.as('title'),
          ])
          .where('notes.id', '=', anyOf(ids))
          .execute(),
      ),
  },
  merge_request: {
    shownAs: 'MergeRequest',
    visible: actor =>
      sql`(${may(actor, 'read_merge_request')} and exists (
        select from merge_requests where merge_requests.id = feed_entries.target_id))`,
    names: async (db, ids) =>
      byId(await db.selectFrom('merge_requests').select(['id', 'iid', 'title']).where('id', '=', anyOf(ids)).execute()),
  },
  milestone: {
    shownAs: 'Milestone',
    visible: actor => may(actor, 'read_milestone'),
    names: async (db, ids) => byId(await db.selectFrom('milestones').select(['id', 'iid', 'title']).where('id', '=', anyOf(ids)).execute()),
  },
  wiki: {
    shownAs: 'WikiPage::Meta',
    visible: actor => may(actor, 'read_wiki'),
    // Contract: a page has no number, so the id of its row is used (events API).
    names: async (db, ids) =>
      byId(
        (await wikiPagesById(db, ids).execute()).map(({ id, title, slug, format }) => ({
          id,
          iid: id,
          title,
          page: { slug, title, format },
        })),
      ),
  },
}
