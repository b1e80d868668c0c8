/** Issues by the hundred thousand, with labels, milestones and assignees; loaded by SQL as the commands would write them. */
import type { Database } from '../../src/platform/db/connection.ts'
import { inBulk } from './bulk.ts'
import { FIRST_GROUP, FIRST_USER } from './projects.ts'
import type { Size } from './sizes.ts'

/** What requests need to know of the issues. */
export interface IssueWorld {
  /** The project with a tenth of all issues. */
  readonly bigProjectId: number
  /** A group whose tree holds it and some 200 projects in all. */
  readonly groupId: number
  /** A label, a milestone and an author that go together on some issues. */
  readonly label: string
  readonly otherLabel: string
  readonly milestone: string
  readonly authorId: number
}

/** Each project has so many labels and milestones; half of its issues have five of the labels, every third a milestone. */
export const LABELS = 20
export const MILESTONES = 5

/** Ids begin here. */
export const FIRST = 1_000

/**
 * Statements that load the issues, in order. `q` counts projects and `i` issues from 0: every tenth issue is the first
 * project's, the others go to all others in turn. The projects are those of every fourth tree of groups: the one who
 * asks is a member of the first three of these and sees the others by their visibility, or not.
 */
const statements = ({ users, issues, issueProjects }: Size): string[] => [
  `create temporary table home as
   select q, id from (
     select row_number() over (order by tree % 4, tree, projects.id) - 1 as q, projects.id
       from projects join namespaces on namespaces.id = projects.namespace_id and namespaces.kind = 'group',
            lateral (select (namespaces.traversal_ids[1] - ${FIRST_GROUP}) / 10 as tree) counted) numbered
    where q < ${issueProjects}`,
  'create unique index on home (q)',
  'analyze home',
  `insert into labels (id, project_id, name, color, description) overriding system value
   select ${FIRST} + q * ${LABELS} + l, id, 'label ' || l, '#' || lpad(to_hex(q * 331 % 16777216), 6, '0'), 'What label ' || l || ' is for'
     from home, generate_series(0, ${LABELS} - 1) l`,
  `insert into label_priorities (label_id, project_id, priority) select ${FIRST} + q * ${LABELS} + l, id, l from home, generate_series(0, 2) l`,
  `insert into milestones (id, iid, project_id, title, due_date) overriding system value
   select ${FIRST} + q * ${MILESTONES} + m, m + 1, id, 'v' || m, date '2021-06-01' + (q % 90 + m * 30)::int from home, generate_series(0, ${MILESTONES} - 1) m`,
  `create temporary table numbered as
   select i, case when i % 10 = 0 then 0 else 1 + (i - i / 10 - 1) % (${issueProjects} - 1) end as q,
          case when i % 10 = 0 then i / 10 + 1 else (i - i / 10 - 1) / (${issueProjects} - 1) + 1 end as iid
     from generate_series(0, ${issues} - 1) i`,
  `insert into issues (id, iid, project_id, author_id, title, description, state, closed_at, closed_by_id, confidential, due_date, weight, milestone_id,
                       milestone_due_on, label_priority, relative_position, upvotes, created_at, updated_at)
   overriding system value
   select ${FIRST} + i, numbered.iid, home.id, ${FIRST_USER} + i::bigint * 31 % ${users},
          'Part ' || i % 9973 || ' of step ' || i % 89 || ' does not work',
          'Seen in build ' || i::bigint * 7919 % 99991 || ': expected ' || substr(md5(i::text), 1, 8) || ', and how to see it again',
          case when i % 5 < 3 then 'closed' else 'opened' end, case when i % 5 < 3 then made + interval '3 days' end,
          case when i % 5 < 3 then ${FIRST_USER} + i::bigint * 17 % ${users} end,
          i % 50 = 1, case when i % 5 = 4 then date '2021-01-01' + i % 700 end, case when i % 7 > 0 then i % 9 end,
          milestones.id, milestones.due_date, case when (i + i / 10) % 2 = 0 and i / 20 % 4 < 3 then i / 20 % 4 end,
          nextval('issue_positions'), i::bigint * 7919 % 37, made, made + i::bigint * 7919 % 4000 * interval '1 hour'
     from numbered join home using (q)
          left join milestones on i / 10 % 3 = 0 and milestones.id = ${FIRST} + home.q * ${MILESTONES} + i / 30 % ${MILESTONES},
          lateral (select timestamptz '2020-01-01' + i * interval '40 seconds' as made) dates order by i`,
  `insert into issue_labels (issue_id, label_id)
   select ${FIRST} + i, ${FIRST} + q * ${LABELS} + (i / 20 + n * 4) % ${LABELS} from numbered, generate_series(0, 4) n where (i + i / 10) % 2 = 0`,
  `insert into issue_assignees (issue_id, user_id) select ${FIRST} + i, ${FIRST_USER} + i::bigint * 17 % ${users} from numbered where i / 10 % 4 = 0`,
  `insert into iid_counters (project_id, noun, value) select home.id, 'issue', max(iid) from numbered join home using (q) group by home.id`,
  `insert into iid_counters (project_id, noun, value) select id, 'milestone', ${MILESTONES} from home`,
  `update projects set open_issues_count = open, confidential_open_issues_count = confidential,
                       closed_issues_count = closed, confidential_closed_issues_count = confidential_closed
     from (select project_id, count(*) filter (where state = 'opened') as open, count(*) filter (where state = 'opened' and confidential) as confidential,
                  count(*) filter (where state = 'closed') as closed, count(*) filter (where state = 'closed' and confidential) as confidential_closed
             from issues group by 1) counted
    where projects.id = counted.project_id`,
  'drop table home, numbered',
  ...['labels', 'milestones', 'issues'].map(
    table => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
  ),
]

/** Loads the issues into a world that has its projects. */
export async function loadIssues(database: Database, size: Size): Promise<IssueWorld> {
  const tables = ['issues', 'issue_labels', 'issue_assignees', 'labels', 'label_priorities', 'milestones']
  await inBulk(database, tables, async client => {
    for (const statement of statements(size)) await client.query(statement)
  })
  const { rows } = await database.pool.query<{ id: number; author_id: number }>(
    'select project_id as id, author_id from issues where id = $1',
    // The first one: in the big project, labelled `label 0` with every fourth after it, due with `v0`.
    [FIRST],
  )
  const first = rows[0]
  if (!first) throw new Error('no issue was loaded')
  return {
    bigProjectId: first.id,
    groupId: FIRST_GROUP,
    label: 'label 0',
    otherLabel: 'label 1',
    milestone: 'v0',
    authorId: first.author_id,
  }
}
