/**
 * What entries of a feed can be about: how each kind of target is called, who may see it, and its number and title.
 * Who adds a kind of target adds a line here, and its events to src/events/feed.ts.
 */
import { type RawBuilder, sql } from 'kysely'
import { builtOn, type Feature, roles } from '../access/abilities.ts'
import { type Actor, isAdmin } from '../access/actor.ts'
import { anyOf } from '../db/any.ts'
import type { Db } from '../db/connection.ts'
import type { FeedTarget } from '../events/feed.ts'

/** A target's number within its project, and its title. */
export interface TargetName {
  readonly iid: number | null
  readonly title: string | null
}

interface Target {
  /** Its name in answers; null where an entry names none. */
  readonly shownAs: string | null
  /** May the actor see the entry's target? `seen` is the entry's project (queries.ts), `feed_entries` the entry. */
  readonly visible: (actor: Actor) => RawBuilder<boolean>
  /** Numbers and titles by id: one statement for a page. */
  readonly names: (db: Db, ids: readonly number[]) => Promise<Map<number, TargetName>>
}

/** May the actor use a feature of the project `seen` where it takes this role in private ones? The rule of `allows`. */
export function featureVisible(actor: Actor, feature: Feature, role: number): RawBuilder<boolean> {
  const level = sql.ref(`seen.${feature}_access_level`)
  const below = builtOn[feature]
  const andBelow = below ? sql` and ${featureVisible(actor, below, role)}` : sql``
  if (isAdmin(actor)) return sql`(${level} <> 'disabled'${andBelow})`
  return sql`(${level} <> 'disabled' and (${level} <> 'private' or seen.role >= ${sql.lit(roles.guest)})
    and (seen.role >= ${sql.lit(role)} or seen.visibility <> 'private')${andBelow})`
}

const byId = <Row extends TargetName & { readonly id: number }>(rows: readonly Row[]): Map<number, TargetName> =>
  new Map(rows.map(({ id, iid, title }) => [id, { iid, title }]))

/** What is confidential about `issues` is for their author and assignees, and from Reporter up (decision 34). */
function readsConfidential(actor: Actor): RawBuilder<boolean> {
  const userId = actor.user?.id ?? null
  if (isAdmin(actor)) return sql`true`
  return sql`(seen.role >= ${sql.lit(roles.reporter)} or issues.author_id = ${userId}::bigint
    or exists (select from issue_assignees where issue_assignees.issue_id = issues.id and issue_assignees.user_id = ${userId}::bigint))`
}

const issueVisible = (actor: Actor): RawBuilder<boolean> =>
  sql`(${featureVisible(actor, 'issues', roles.guest)} and exists (
    select from issues where issues.id = feed_entries.target_id and (not issues.confidential or ${readsConfidential(actor)})))`

/** A note is read with its thing; a confidential one by its author besides. */
const noteVisible = (actor: Actor): RawBuilder<boolean> =>
  sql`(${featureVisible(actor, 'merge_requests', roles.reporter)} and exists (
    select from notes where notes.id = feed_entries.target_id and notes.merge_request_id is not null
      and (not notes.confidential or notes.author_id = ${actor.user?.id ?? null}::bigint
        or ${isAdmin(actor) ? sql`true` : sql`seen.role >= ${sql.lit(roles.reporter)}`}))
  or ${featureVisible(actor, 'issues', roles.guest)} and exists (
    select from notes join issues on issues.id = notes.issue_id
    where notes.id = feed_entries.target_id
      and (not issues.confidential and (not notes.confidential or notes.author_id = ${actor.user?.id ?? null}::bigint)
        or ${readsConfidential(actor)})))`

/** The targets that entries are made of. */
export const targets: Readonly<Partial<Record<FeedTarget, Target>>> = {
  // Contract: an entry about the project itself names no target (events API).
  project: { shownAs: null, visible: () => sql`true`, names: async () => new Map() },
  issue: {
    shownAs: 'Issue',
    visible: issueVisible,
    names: async (db, ids) => byId(await db.selectFrom('issues').select(['id', 'iid', 'title']).where('id', '=', anyOf(ids)).execute()),
  },
  note: {
    shownAs: 'Note',
    visible: noteVisible,
    // Contract: a note has no number within its project, and its id stands for one; its title is that of its thing (events API).
    names: async (db, ids) =>
      byId(
        await db
          .selectFrom('notes')
          .leftJoin('issues', 'issues.id', 'notes.issue_id')
          .leftJoin('merge_requests', 'merge_requests.id', 'notes.merge_request_id')
          .select(['notes.id', 'notes.id as iid', sql<string>`coalesce(issues.title, merge_requests.title)`.as('title')])
          .where('notes.id', '=', anyOf(ids))
          .execute(),
      ),
  },
  merge_request: {
    shownAs: 'MergeRequest',
    visible: actor =>
      sql`(${featureVisible(actor, 'merge_requests', roles.reporter)} and exists (
        select from merge_requests where merge_requests.id = feed_entries.target_id))`,
    names: async (db, ids) =>
      byId(await db.selectFrom('merge_requests').select(['id', 'iid', 'title']).where('id', '=', anyOf(ids)).execute()),
  },
  milestone: {
    shownAs: 'Milestone',
    visible: actor => sql`(${featureVisible(actor, 'issues', roles.guest)} or ${featureVisible(actor, 'merge_requests', roles.guest)})`,
    names: async (db, ids) => byId(await db.selectFrom('milestones').select(['id', 'iid', 'title']).where('id', '=', anyOf(ids)).execute()),
  },
}
