/**
 * The data set: people, groups and projects in numbers, the same for everyone. Loaded by SQL from `generate_series`,
 * for the commands would take minutes; the rows are those that the commands write.
 */
import type { Database } from '../src/db/connection.ts'
import { digestOf, newToken } from '../src/kernel/secrets.ts'

/** How much of everything there is. Groups come in trees of ten, one branch of each six levels deep. */
export interface Size {
  readonly users: number
  readonly groups: number
  readonly projects: number
  /** In the history that is cloned and pushed. */
  readonly commits: number
  /** Of people whom an identity provider has brought into one group. */
  readonly identities: number
}

export const sizes = {
  small: { users: 300, groups: 100, projects: 500, commits: 300, identities: 1_000 },
  full: { users: 5_000, groups: 1_000, projects: 10_000, commits: 3_000, identities: 100_000 },
} as const satisfies Record<string, Size>

/** What requests need to know of the data set. */
export interface World {
  /** A token of somebody who is a member of a dozen trees of groups, as people are; not an administrator. */
  readonly token: string
  /** A project they may see. */
  readonly projectId: number
}

/** Ids begin here: below are those of the instance itself (`root`). */
const FIRST_USER = 1_000
const FIRST_GROUP = 10_000
const FIRST_PROJECT = 1_000

/** Visibility by number, in turn; a whole tree of groups and its projects share one. */
const visibility = (number: string) => `(array['private', 'internal', 'public'])[1 + (${number}) % 3]`

/** Statements that load the data set, in order; `u`, `g` and `p` count from 0. */
const statements = ({ users, groups, projects }: Size): string[] => [
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
  `insert into projects (id, namespace_id, creator_id, name, path, description, visibility, topics, star_count, open_issues_count,
                         created_at, updated_at, last_activity_at)
   overriding system value
   select place.id, place.namespace_id, ${FIRST_USER} + p * 31 % ${users}, 'Project ' || p, 'project-' || p,
          case when p % 3 > 0 then 'Part ' || p % 211 || ' of the platform: ' || repeat('what it does and for whom, ', 1 + p % 7) end,
          case when p % 5 = 0 then ${visibility('p / 5')} else namespaces.visibility end,
          case when p % 4 = 0 then array['tool', 'topic-' || p % 50] else '{}' end, p % 13, p % 29,
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
   select ${FIRST_USER} + (p * 13 + n * 97 + 1) % ${users}, id, 20 + 10 * n from place, generate_series(0, 1) n
   on conflict do nothing`,

  'drop table tree, place',
  ...['users', 'namespaces', 'projects'].map(
    table => `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
  ),
]

/** Loads the data set in one transaction and gathers statistics, as the database would by itself after a while. */
export async function loadWorld(database: Database, size: Size): Promise<World> {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    for (const statement of statements(size)) await client.query(statement)
    const token = newToken()
    await client.query(`insert into personal_access_tokens (user_id, name, digest, scopes) values ($1, 'bench', $2, '{api}')`, [
      FIRST_USER,
      digestOf(token),
    ])
    await client.query('commit')
    await client.query('vacuum (analyze)')
    // The first project of the first group of which they are a member.
    return { token, projectId: FIRST_PROJECT }
  } finally {
    client.release()
  }
}
