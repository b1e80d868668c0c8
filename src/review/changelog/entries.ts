/** The changes of a range of commits: those that have a certain trailer, by its value. */
import { sql } from 'kysely'
import { usersByPrivateEmail } from '../../identity/emails/private_email.ts'
import { levelInProject } from '../../platform/access/memberships.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type Commit, listCommits, type ObjectId, type Repository, trailersOf } from '../../platform/git/index.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import type { ChangelogConfig } from './config.ts'
import { TemplateError, type Value } from './template.ts'

/** Commits of a range at most. */
const MOST_COMMITS = 10_000

/** Which commits. `from` is not among them. */
export interface Range {
  readonly from: ObjectId
  readonly to: ObjectId
  readonly trailer: string
}

const REVERTS = /This reverts commit ([0-9a-f]{40})/g

/** The value of a trailer; `constructor` is none unless the message has it. */
function trailerOf(message: string, name: string): string | undefined {
  const trailers = trailersOf(message)
  return Object.hasOwn(trailers, name) ? trailers[name] : undefined
}

/** The commits of a range with the trailer, oldest first: without those that the range takes back again. */
async function changesIn(repository: Repository, { from, to, trailer }: Range): Promise<readonly Commit[]> {
  const commits = await listCommits(repository, { from: [to], except: [from], limit: MOST_COMMITS + 1 })
  if (commits.length > MOST_COMMITS) throw new TemplateError(`there are more than ${MOST_COMMITS} commits in the range`)
  const reverted = new Set(commits.flatMap(({ message }) => [...message.matchAll(REVERTS)].map(match => match[1])))
  return commits.filter(({ id, message }) => !reverted.has(id) && trailerOf(message, trailer)).reverse()
}

interface Author {
  readonly email: string
  readonly username: string
  readonly level: number
}

/** The accounts whose addresses these are, with their role in the project: a fixed number of statements. */
async function authorsOf(db: Db, project: ProjectRow, commits: readonly Commit[]): Promise<ReadonlyMap<string, Author>> {
  const emails = [...new Set(commits.map(({ author }) => author.email.toLowerCase()))]
  const byPrivate = await usersByPrivateEmail(db, emails)
  const { rows } = await sql<Author>`
    select found.email, users.username, ${levelInProject(sql`users.id`, 'projects', 'namespaces')} as level
      from (select id, lower(email) as email from users where lower(email) = any(${emails}::text[]) and confirmed_at is not null
            union
            select user_id, lower(email) from emails where lower(email) = any(${emails}::text[]) and confirmed_at is not null
            union
            select * from unnest(${[...byPrivate.values()].map(({ id }) => id)}::bigint[], ${[...byPrivate.keys()]}::text[])) as found
      join users on users.id = found.id
      join projects on projects.id = ${project.id}
      join namespaces on namespaces.id = projects.namespace_id`.execute(db)
  return new Map(rows.map(row => [row.email, row]))
}

/** The number of the merge request that first brought each of these commits: one statement. */
async function mergeRequestsOf(db: Db, project: ProjectRow, commits: readonly Commit[]): Promise<ReadonlyMap<string, number>> {
  const ids = commits.map(({ id }) => id)
  const { rows } = await sql<{ sha: string; iid: number }>`
    select distinct on (brought.sha) brought.sha, m.iid
      from (select sha, merge_request_id from merge_request_commits where sha = any(${ids}::text[])
            union all select merge_commit_sha, id from merge_requests where project_id = ${project.id} and merge_commit_sha = any(${ids}::text[])
            union all select squash_commit_sha, id from merge_requests where project_id = ${project.id} and squash_commit_sha = any(${ids}::text[])
            union all select merged_commit_sha, id from merge_requests where project_id = ${project.id} and merged_commit_sha = any(${ids}::text[])
           ) as brought(sha, merge_request_id)
      join merge_requests m on m.id = brought.merge_request_id
     where m.project_id = ${project.id} and m.state = 'merged'
     order by brought.sha, m.id`.execute(db)
  return new Map(rows.map(({ sha, iid }) => [sha, iid]))
}

/** The categories of a range, as templates name them: in the order in which their first change was made. */
export async function categoriesOf(
  db: Db,
  project: ProjectRow,
  repository: Repository,
  range: Range,
  config: ChangelogConfig,
): Promise<readonly Value[]> {
  const commits = await changesIn(repository, range)
  if (commits.length === 0) return []
  const [authors, mergeRequests] = await Promise.all([authorsOf(db, project, commits), mergeRequestsOf(db, project, commits)])
  const byCategory = Map.groupBy(commits, ({ message }) => {
    const value = trailerOf(message, range.trailer) as string
    return config.categories.get(value) ?? value
  })
  return [...byCategory].map(([title, changes]) => ({
    title,
    count: changes.length,
    single_change: changes.length === 1,
    entries: changes.map((commit): Value => {
      const author = authors.get(commit.author.email.toLowerCase())
      const iid = mergeRequests.get(commit.id)
      return {
        title: commit.title,
        commit: { reference: `${project.full_path}@${commit.id}`, trailers: trailersOf(commit.message) },
        ...(author && { author: { reference: `@${author.username}`, contributor: author.level === 0 } }),
        ...(iid !== undefined && { merge_request: { reference: `${project.full_path}!${iid}` } }),
      }
    }),
  }))
}
