/**
 * Counts that are stored beside what they count, so that lists need not count. What writes the counted rows adds to them in the same
 * transaction, by a trigger or by a command; here they are counted again. A count and its rows are read by one statement, so that what
 * happens meanwhile makes no difference between them.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Looking } from './check.ts'

interface Counter {
  readonly table: string
  /** The column that identifies a row. */
  readonly key: string
  readonly column: string
  /** Rows of `key` and `value`; a key that is not among them has 0. */
  readonly counted: RawBuilder<unknown>
}

const ofProjects = (column: string, counted: RawBuilder<unknown>): Counter => ({ table: 'projects', key: 'id', column, counted })

const issuesThat = (condition: RawBuilder<unknown>) =>
  sql`select project_id as key, count(*) as value from issues where ${condition} group by project_id`

const ofStatistics = (column: string, counted: RawBuilder<unknown>): Counter => ({
  table: 'project_statistics',
  key: 'project_id',
  column,
  counted,
})

const notesOn = (owner: string) =>
  sql`select ${sql.ref(owner)} as key, count(*) as value from notes where ${sql.ref(owner)} is not null and action is null group by 1`

const thumbsOn = (owner: string, name: string) =>
  sql`select ${sql.ref(owner)} as key, count(*) as value from award_emoji where ${sql.ref(owner)} is not null and name = ${name} group by 1`

/** Counters that are alike for issues, merge requests and epics. */
const ofItems: readonly Counter[] = [
  { table: 'issues', owner: 'issue_id' },
  { table: 'merge_requests', owner: 'merge_request_id' },
  { table: 'epics', owner: 'epic_id' },
].flatMap(({ table, owner }) => [
  { table, key: 'id', column: 'user_notes_count', counted: notesOn(owner) },
  { table, key: 'id', column: 'upvotes', counted: thumbsOn(owner, 'thumbsup') },
  { table, key: 'id', column: 'downvotes', counted: thumbsOn(owner, 'thumbsdown') },
])

/** Every counter that rows of the database can be held against. */
const counters: readonly Counter[] = [
  ofProjects('star_count', sql`select project_id as key, count(*) as value from project_stars group by project_id`),
  ofProjects('forks_count', sql`select source_id as key, count(*) as value from project_forks group by source_id`),
  ofProjects('open_issues_count', issuesThat(sql`state = 'opened'`)),
  ofProjects('closed_issues_count', issuesThat(sql`state = 'closed'`)),
  ofProjects('confidential_open_issues_count', issuesThat(sql`state = 'opened' and confidential`)),
  ofProjects('confidential_closed_issues_count', issuesThat(sql`state = 'closed' and confidential`)),
  ...ofItems,
  {
    table: 'issues',
    key: 'id',
    column: 'merge_requests_count',
    counted: sql`select issue_id as key, count(*) as value from merge_request_closing_issues group by issue_id`,
  },
  { table: 'commented_commits', key: 'id', column: 'notes_count', counted: notesOn('commented_commit_id') },
  {
    table: 'topics',
    key: 'id',
    column: 'total_projects_count',
    counted: sql`
      select topics.id as key, count(*) as value from projects, unnest(projects.topics) as named (topic) join topics on topics.name = topic
       group by topics.id`,
  },
  ofStatistics(
    'job_artifacts_size',
    sql`
      select project_id as key, sum(size)::bigint as value
        from (select project_id, size from job_artifacts union all select project_id, size from project_sites) as kept group by project_id`,
  ),
  ofStatistics(
    'packages_size',
    sql`
      select project_id as key, sum(size)::bigint as value from package_files join packages on packages.id = package_id group by project_id`,
  ),
  ofStatistics(
    'lfs_objects_size',
    sql`
      select project_id as key, sum(size)::bigint as value from lfs_objects_projects join lfs_objects on lfs_objects.id = lfs_object_id
       group by project_id`,
  ),
]

/** Rows per statement. */
const PAGE = 500

/** Compares every stored count with what it counts. */
export async function checkCounters({ deps, faults, mend }: Looking): Promise<void> {
  const { db } = deps.database
  for (const counter of counters) {
    const { table, column } = counter
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
    faults.looked += rows[0]!.count
    for (let last = 0; ; ) {
      const wrong = await wrongAfter(db, counter, last)
      if (mend && wrong.length > 0)
        await countAgain(
          db,
          counter,
          wrong.map(({ key }) => key),
        )
      for (const { key, stored, value } of wrong) faults.add(`${column} of ${table} ${key} is ${stored}, not ${value}`, mend)
      if (wrong.length < PAGE) break
      last = wrong.at(-1)!.key
    }
  }
}

interface Wrong {
  readonly key: number
  readonly stored: number
  readonly value: number
}

async function wrongAfter(db: Db, { table, key, column, counted }: Counter, last: number): Promise<Wrong[]> {
  const { rows } = await sql<Wrong>`
    select t.${sql.ref(key)} as key, t.${sql.ref(column)} as stored, coalesce(c.value, 0) as value
      from ${sql.table(table)} t left join (${counted}) c on c.key = t.${sql.ref(key)}
     where t.${sql.ref(key)} > ${last} and t.${sql.ref(column)} <> coalesce(c.value, 0)
     order by 1 limit ${sql.lit(PAGE)}`.execute(db)
  return rows
}

/** What counts at this moment has locked the row and is waited for, or adds to what is written here. */
async function countAgain(db: Db, { table, key, column, counted }: Counter, keys: readonly number[]): Promise<void> {
  await transact(db, async db => {
    await sql`select from ${sql.table(table)} where ${sql.ref(key)} = any(${keys}) order by ${sql.ref(key)} for no key update`.execute(db)
    await sql`
      update ${sql.table(table)} t
         set ${sql.ref(column)} = coalesce((select c.value from (${counted}) c where c.key = t.${sql.ref(key)}), 0)
       where t.${sql.ref(key)} = any(${keys})`.execute(db)
  })
}
