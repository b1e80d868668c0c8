/** What each person did in the projects of a group, from the feed: as far as the actor may see it. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { feedMatching } from '../feed/queries.ts'
import type { Range } from './range.ts'

/** People who are shown: those who did most. */
const MOST = 100

const DAY = 86_400_000

/** What is counted, by column. */
export const contributionColumns = [
  ['pushes', 'Pushes'],
  ['issues_opened', 'Issues opened'],
  ['issues_closed', 'Issues closed'],
  ['merge_requests_opened', 'Merge requests opened'],
  ['merge_requests_merged', 'Merge requests merged'],
  ['merge_requests_closed', 'Merge requests closed'],
  ['approvals', 'Approvals'],
  ['comments', 'Comments'],
] as const

export type ContributionColumn = (typeof contributionColumns)[number][0]

export type Contribution = { readonly author_id: number } & Readonly<Record<ContributionColumn, number>>

const on = (action: string, target: string) =>
  sql<number>`count(*) filter (where feed_entries.action = ${sql.lit(action)} and feed_entries.target_type = ${sql.lit(target)})::int`

const shifted = (day: string, days: number): string => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

/** Contributions by person, those who did most first. One statement. */
export const contributionsIn = (db: Db, actor: Actor, groupId: number, { from, to }: Range): Promise<readonly Contribution[]> =>
  // The days of the filter belong to neither side.
  feedMatching(db, actor, { groupId }, { after: shifted(from, -1), before: shifted(to, 1) })
    .clearSelect()
    .clearOrderBy()
    .select([
      'feed_entries.author_id',
      sql<number>`count(*) filter (where feed_entries.push_data is not null)::int`.as('pushes'),
      on('created', 'issue').as('issues_opened'),
      on('closed', 'issue').as('issues_closed'),
      on('created', 'merge_request').as('merge_requests_opened'),
      on('merged', 'merge_request').as('merge_requests_merged'),
      on('closed', 'merge_request').as('merge_requests_closed'),
      on('approved', 'merge_request').as('approvals'),
      on('commented', 'note').as('comments'),
    ])
    .groupBy('feed_entries.author_id')
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('feed_entries.author_id')
    .limit(MOST)
    .execute()
