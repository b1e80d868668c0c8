/** The committers of the commits of a merge request. */

import { sql } from 'kysely'
import { usersByPrivateEmail } from '../../identity/emails/private_email.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type Commit, listCommits } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { MergeRequestRow } from '../merge_requests/queries.ts'

/** The merge request in question, with its project. */
export interface Place {
  readonly project: ProjectWithRole
  readonly mergeRequest: MergeRequestRow
}

/** Upper bound of the commits that are read; larger than any reviewed merge request. */
const MOST = 10_000

/** The ids of the users whose email addresses appear as committer in the commits. */
export async function committersOf(
  { db, deps }: Pick<Context, 'db' | 'deps'>,
  { project, mergeRequest }: Place,
): Promise<ReadonlySet<number>> {
  return peopleOf(db, await committerEmails(deps, project, mergeRequest))
}

/** The ids of the users to whom these committers' addresses belong. */
export async function peopleOf(db: Db, emails: readonly string[]): Promise<ReadonlySet<number>> {
  if (emails.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from users where lower(email) = any(${emails}::text[])
     union select user_id from emails where lower(email) = any(${emails}::text[]) and confirmed_at is not null`.execute(db)
  const byPrivate = await usersByPrivateEmail(db, emails)
  return new Set([...rows, ...byPrivate.values()].map(({ id }) => id))
}

/** The addresses of the committers, in lower case. */
export const emailsOf = (commits: readonly Pick<Commit, 'committer'>[]): string[] => [
  ...new Set(commits.map(({ committer }) => committer.email.toLowerCase())),
]

async function committerEmails(
  { storages }: Context['deps'],
  project: Place['project'],
  { base_commit_sha, head_commit_sha }: MergeRequestRow,
): Promise<string[]> {
  const repository = await findRepository(storages, project)
  if (!repository || head_commit_sha === null || base_commit_sha === null) return []
  const commits = await listCommits(repository, { from: [head_commit_sha], except: [base_commit_sha], limit: MOST })
  return emailsOf(commits)
}
