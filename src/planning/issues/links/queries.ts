/** Reads of links between issues. */
import { sql } from 'kysely'
import type { Actor } from '../../../platform/access/actor.ts'
import { compilableUser, type PersonKind, personKind, personOfKind, rolesAmong } from '../../../platform/access/visible.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { compiledPer } from '../../../platform/db/statements/compiled.ts'
import { genericPlan } from '../../../platform/db/statements/prepared.ts'
import { fewIssuesVisibleTo } from '../lists/visible.ts'
import { issues } from '../queries.ts'

export const linkTypes = ['relates_to', 'blocks', 'is_blocked_by'] as const
export type LinkType = (typeof linkTypes)[number]

/** The issues linked to one that the actor may see, in order of linking. */
export function linkedIssues(db: Db, actor: Actor, issueId: number, askedIn: string | null) {
  const { beginIn, known } = rolesAmong(
    actor,
    sql`select own.project_id from issues own where own.id in (
      select source_id from issue_links where target_id = ${issueId} union all select target_id from issue_links where source_id = ${issueId})`,
  )
  return issues(beginIn(db), askedIn)
    .modifyFront(genericPlan)
    .innerJoin('issue_links', join =>
      join.on(({ or, and, eb }) =>
        or([
          and([eb('issue_links.source_id', '=', issueId), eb('issue_links.target_id', '=', eb.ref('issues.id'))]),
          and([eb('issue_links.target_id', '=', issueId), eb('issue_links.source_id', '=', eb.ref('issues.id'))]),
        ]),
      ),
    )
    .select([
      'issue_links.id as issue_link_id',
      'issue_links.created_at as link_created_at',
      'issue_links.updated_at as link_updated_at',
      sql<LinkType>`case when issue_links.link_type = 'relates_to' then 'relates_to'
                         when issue_links.source_id = ${issueId} then 'blocks' else 'is_blocked_by' end`.as('link_type'),
    ])
    .where(fewIssuesVisibleTo(actor, known))
    .orderBy('issue_links.created_at')
    .orderBy('issue_links.id')
}

export type LinkedIssueRow = Awaited<ReturnType<ReturnType<typeof linkedIssues>['executeTakeFirstOrThrow']>>

/** Linked issues that a page shows. */
const MOST_SHOWN = 50

const shownLinks = compiledPer(
  (kind: PersonKind) => (db, userId: number, issueId: number, askedIn: string) =>
    linkedIssues(db, personOfKind(kind, userId), issueId, askedIn).limit(sql.lit(MOST_SHOWN)),
)

/** The first of the issues linked to one that the actor may see: as many as a page shows, by a statement that is built once for each kind of user. */
export async function linkedIssuesShown(db: Db, actor: Actor, issueId: number, askedIn: string): Promise<readonly LinkedIssueRow[]> {
  const user = compilableUser(actor)
  return user
    ? shownLinks(db, personKind(user), user.id, issueId, askedIn)
    : linkedIssues(db, actor, issueId, askedIn).limit(MOST_SHOWN).execute()
}

/** A link of an issue. */
export const linkOf = (db: Db, issueId: number, linkId: number) =>
  db
    .selectFrom('issue_links')
    .selectAll()
    .where('id', '=', linkId)
    .where(({ or, eb }) => or([eb('source_id', '=', issueId), eb('target_id', '=', issueId)]))
    .executeTakeFirst()

export type LinkRow = NonNullable<Awaited<ReturnType<typeof linkOf>>>

/** Those of the issues that an open issue blocks which the actor may see. */
export async function blockedAmong(db: Db, actor: Actor, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('issue_links')
    .innerJoin('issues', 'issues.id', 'issue_links.source_id')
    .select('issue_links.target_id')
    .where('issue_links.target_id', '=', anyOf(ids))
    .where('issue_links.link_type', '=', 'blocks')
    .where('issues.state', '=', 'opened')
    .where(fewIssuesVisibleTo(actor))
    .execute()
  return new Set(rows.map(row => row.target_id))
}
