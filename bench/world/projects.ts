/**
 * The data set: people, groups and projects in numbers, the same for everyone. Loaded by SQL from `generate_series`,
 * for the commands would take minutes; the rows are those that the commands write.
 */
import type { Database } from '../../src/platform/db/connection.ts'
import { digestOf, newToken } from '../../src/platform/kernel/secrets.ts'
import { inBulk } from './bulk.ts'
import type { Size } from './sizes.ts'

/** What requests need to know of the data set. */
export interface World {
  /** A token of a user who is a member of a dozen trees of groups, as people are; not an administrator. */
  readonly token: string
  readonly userId: number
  /** A project they may see, which is shared with groups, starred and forked. */
  readonly projectId: number
  /** The top of a tree of ten groups that they are a member of. */
  readonly groupId: number
}

/** Ids begin here: below are those of the instance itself (`root`). A person's namespace has their id; groups come far above. */
export const FIRST_USER = 1_000
export const FIRST_GROUP = 1_000_000
export const FIRST_PROJECT = 1_000

/** Visibility by number, in turn; a whole tree of groups and its projects share one. */
const visibility = (number: string) => `(array['private', 'internal', 'public'])[1 + (${number}) % 3]`

/** Statements that load the data set, in order; `u`, `g` and `p` count from 0. */
const statements = ({ users, groups, projects, membersOfProjects }: Size): string[] => [
  `insert into users (id, username, name, email, bio, created_at, confirmed_at, last_activity_on)
   overriding system value
   select ${FIRST_USER} + u, 'person-' || u, 'Person Number ' || u, 'person-' || u || '@example.com', 'Works on part ' || u % 97,
          timestamptz '2021-01-01' + u * interval '1 hour', timestamptz '2021-01-01' + u * interval '1 hour', date '2021-06-01'
     from generate_series(0, ${users} - 1) u`,
  `insert into namespaces (id, kind, owner_id, traversal_ids, name, path, visibility)
   overriding system value
   select ${FIRST_USER} + u, 'user', ${FIRST_USER} + u, array[${FIRST_USER} + u], 'Person Number ' || u, 'person-' || u, 'public'
     from generate_series(0, ${users} - 1) u`,
  `insert into routes (namespace_id, path, name)
   select ${FIRST_USER} + u, 'person-' || u, 'Person Number ' || u from generate_series(0, ${users} - 1) u`,

  // In each tree, 0 is the top, 1 to 5 hang below each other, and 6 to 9 hang below the top.
  `create temporary table tree as
   select g, g / 10 as number, ${FIRST_GROUP} + g as id, case when g % 10 <= 5 then array(select generate_series(0, g % 10)) else array[0, g % 10] end as line
     from generate_series(0, ${groups} - 1) g`,
  `insert into namespaces (id, kind, parent_id, traversal_ids, name, path, description, visibility, created_at)
   overriding system value
   select id, 'group', case when g % 10 > 0 then ${FIRST_GROUP} + number * 10 + line[array_length(line, 1) - 1] end,
          array(select ${FIRST_GROUP} + number * 10 + step from unnest(line) step),
          case when g % 10 = 0 then 'Division ' || number else 'Team ' || g end,
          case when g % 10 = 0 then 'division-' || number else 'team-' || g end,
          'Everything that team ' || g || ' looks after', ${visibility('number')}, timestamptz '2021-01-01' + g * interval '1 hour'
     from tree`,
  `insert into routes (namespace_id, path, name)
   select id,
          (select string_agg(case when step = 0 then 'division-' || number else 'team-' || number * 10 + step end, '/' order by step) from unnest(line) step),
          (select string_agg(case when step = 0 then 'Division ' || number else 'Team ' || number * 10 + step end, ' / ' order by step) from unnest(line) step)
     from tree`,

  // Every fifth project is a person's own, the others are spread over the groups.
  `create temporary table place as
   select p, ${FIRST_PROJECT} + p as id, case when p % 5 = 0 then ${FIRST_USER} + p / 5 % ${users} else ${FIRST_GROUP} + p * 7919 % ${groups} end as namespace_id
     from generate_series(0, ${projects} - 1) p`,
  `insert into projects (id, namespace_id, creator_id, name, path, description, visibility, topics,
                         created_at, updated_at, last_activity_at)
   overriding system value
   select place.id, place.namespace_id, ${FIRST_USER} + p * 31 % ${users}, 'Project ' || p, 'project-' || p,
          case when p % 3 > 0 then 'Part ' || p % 211 || ' of the platform: ' || repeat('what it does and for whom, ', 1 + p % 7) end,
          case when p % 5 = 0 then ${visibility('p / 5')} else namespaces.visibility end,
          case when p % 4 = 0 then array['tool', 'topic-' || p % 50] else '{}' end,
          timestamptz '2021-01-01' + p * interval '11 minutes', timestamptz '2021-03-01' + p * interval '13 minutes',
          timestamptz '2021-06-01' + p * 7919 % ${projects} * interval '3 minutes'
     from place join namespaces on namespaces.id = place.namespace_id`,
  `insert into routes (project_id, path, name)
   select place.id, routes.path || '/project-' || p, routes.name || ' / Project ' || p
     from place join routes on routes.namespace_id = place.namespace_id`,

  `insert into members (user_id, namespace_id, access_level)
   select ${FIRST_USER} + (g * 37 + n * 811) % ${users}, id, (array[50, 40, 30, 30, 20, 10])[n + 1] from tree, generate_series(0, 5) n`,
  `insert into members (user_id, namespace_id, access_level)
   select ${FIRST_USER}, id, 30 from tree where g % 10 = 0 order by g limit 12
   on conflict do nothing`,
  `insert into members (user_id, project_id, access_level)
   select namespaces.owner_id, place.id, 40 from place join namespaces on namespaces.id = place.namespace_id where namespaces.kind = 'user'`,
  `insert into members (user_id, project_id, access_level)
   select ${FIRST_USER} + (p * 13 + n * 97 + 1) % ${users}, id, 20 + 10 * n from place, generate_series(0, ${membersOfProjects} - 1) n
   on conflict do nothing`,

  // Everybody has starred the first project, and a few others; it has a hundred forks, and each tree of groups shares a project with the next.
  `insert into project_stars (user_id, project_id, created_at)
   select ${FIRST_USER} + u, ${FIRST_PROJECT} + case n when 0 then 0 else (u * 53 + n * 17) % ${projects} end, timestamptz '2021-05-01' + u * interval '1 minute'
     from generate_series(0, ${users} - 1) u, generate_series(0, 4) n
   on conflict do nothing`,
  `insert into project_forks (project_id, source_id)
   select id, case when p <= 1000 then ${FIRST_PROJECT} else ${FIRST_PROJECT} + p / 10 end from place where p > 0 and p % 10 = 0`,
  `insert into shares (project_id, group_id, access_level)
   select ${FIRST_PROJECT} + p, ${FIRST_GROUP} + (p * 7919 + 10) % ${groups} / 10 * 10, 30 from generate_series(0, ${projects} - 1, 20) p`,

  // What triggers count, row after row.
  'insert into project_statistics (project_id, repository_size) select id, p::bigint * 7919 % 100000000 from place',
  `insert into topics (name, total_projects_count) select topic, count(*) from projects, unnest(topics) topic group by topic`,
  `update projects set star_count = coalesce(stars, 0), forks_count = coalesce(forks, 0)
     from place left join (select project_id, count(*) as stars from project_stars group by 1) starred on starred.project_id = place.id
                left join (select source_id, count(*) as forks from project_forks group by 1) forked on forked.source_id = place.id
    where projects.id = place.id and num_nonnulls(stars, forks) > 0`,

  'drop table tree, place',
  ...['users', 'namespaces', 'projects'].map(
    table => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
  ),
]

const tables = ['users', 'namespaces', 'routes', 'projects', 'members', 'project_stars', 'project_forks', 'project_statistics', 'shares']

/** Loads the data set in one transaction and gathers statistics, as the database would by itself after a while. */
export async function loadWorld(database: Database, size: Size): Promise<World> {
  const token = newToken()
  await inBulk(database, tables, async client => {
    for (const statement of statements(size)) await client.query(statement)
    await client.query(`insert into personal_access_tokens (user_id, name, digest, scopes) values ($1, 'bench', $2, '{api}')`, [
      FIRST_USER,
      digestOf(token),
    ])
  })
  return { token: token.reveal(), userId: FIRST_USER, projectId: FIRST_PROJECT, groupId: FIRST_GROUP }
}
