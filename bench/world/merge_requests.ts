/**
 * Merge requests by the ten thousand in the projects that have issues, with labels, milestones, people and approvals; loaded by
 * SQL as the commands would write them, without repositories: lists read none.
 */
import type { Database } from '../../src/platform/db/connection.ts'
import { inBulk } from './bulk.ts'
import { FIRST, LABELS, MILESTONES } from './issues.ts'
import { FIRST_USER } from './projects.ts'
import type { Size } from './sizes.ts'

/** Ids begin here: above those that are made by the API. */
const FIRST_OWN = 1_000_000

/** Statements that load them, in order; `i` counts from 0, every tenth is the first project's. */
const statements = ({ users, mergeRequests, issueProjects }: Size): string[] => [
  `create temporary table numbered as
   select i, place.id as project_id, q, row_number() over (partition by place.id order by i) as iid
     from (select i, case when i % 10 = 0 then 0 else 1 + (i - i / 10 - 1) % (${issueProjects} - 1) end as q
             from generate_series(0, ${mergeRequests} - 1) i) counted
     join (select (min(id) - ${FIRST}) / ${LABELS} as q, project_id as id from labels where project_id is not null group by project_id) place using (q)`,
  `insert into merge_requests (id, iid, project_id, source_project_id, source_branch, target_branch, author_id, title, description, draft,
                               state, merge_status, merged_at, merged_by_id, closed_at, closed_by_id, milestone_id, upvotes, created_at, updated_at)
   overriding system value
   select ${FIRST_OWN} + i, iid, project_id, project_id, 'topic-' || iid, case when i % 30 = 7 then 'stable' else 'main' end,
          ${FIRST_USER} + i::bigint * 31 % ${users}, case when i % 11 = 3 then 'Draft: ' else '' end || 'Mend part ' || i % 997 || ' of step ' || i % 89,
          'Changes what build ' || i::bigint * 7919 % 9973 || ' found: ' || substr(md5(i::text), 1, 8) || ', with a test', i % 11 = 3,
          state, case when state = 'opened' then 'can_be_merged' else 'unchecked' end,
          case when state = 'merged' then made + interval '2 days' end, case when state = 'merged' then ${FIRST_USER} + i::bigint * 17 % ${users} end,
          case when state = 'closed' then made + interval '3 days' end, case when state = 'closed' then ${FIRST_USER} + i::bigint * 17 % ${users} end,
          case when i / 10 % 3 = 0 then ${FIRST} + q * ${MILESTONES} + i / 30 % ${MILESTONES} end,
          i::bigint * 7919 % 37, made, made + i::bigint * 7919 % 4000 * interval '1 hour'
     from numbered,
          lateral (select timestamptz '2020-01-01' + i * interval '15 minutes' as made,
                          (array['opened', 'opened', 'merged', 'merged', 'merged', 'merged', 'merged', 'closed'])[1 + i / 10 % 8] as state) states
    order by i`,
  `insert into merge_request_labels (merge_request_id, label_id)
   select ${FIRST_OWN} + i, ${FIRST} + q * ${LABELS} + (i / 20 + n * 4) % ${LABELS} from numbered, generate_series(0, 4) n where (i + i / 10) % 2 = 0`,
  `insert into merge_request_assignees (merge_request_id, user_id)
   select ${FIRST_OWN} + i, ${FIRST_USER} + i::bigint * 17 % ${users} from numbered where i / 10 % 4 = 0`,
  `insert into merge_request_reviewers (merge_request_id, user_id)
   select ${FIRST_OWN} + i, ${FIRST_USER} + i::bigint * 13 % ${users} from numbered where i / 10 % 3 = 0`,
  `insert into approvals (merge_request_id, user_id, created_at)
   select ${FIRST_OWN} + i, ${FIRST_USER} + i::bigint * 13 % ${users}, timestamptz '2021-01-01' from numbered where i / 10 % 6 = 0`,
  `insert into iid_counters (project_id, noun, value) select project_id, 'merge_request', max(iid) from numbered group by project_id`,
  'drop table numbered',
  "select setval(pg_get_serial_sequence('merge_requests', 'id'), (select max(id) from merge_requests))",
]

const tables = ['merge_requests', 'merge_request_labels', 'merge_request_assignees', 'merge_request_reviewers', 'approvals']

/** Loads the merge requests into a world that has its issues, whose labels and milestones they have. */
export const loadMergeRequests = (database: Database, size: Size): Promise<void> =>
  inBulk(database, tables, async client => {
    for (const statement of statements(size)) await client.query(statement)
  })
