/** Commits as noteables. Git has the commit; its row in the database begins with the first comment. */

import type { CommitRow } from '../../code/repository/commits/entity.ts'
import { inCommit } from '../../code/repository/commits/scope.ts'
import { type Noteable, type NoteableApi, noteableInProject } from '../../collaboration/notes/items/noteable.ts'
import type { Db } from '../../platform/db/connection.ts'
import { keepAround } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { commentedCommit } from './queries.ts'

export interface NoteableCommit extends Noteable {
  readonly noun: 'commit'
  readonly key: { readonly commented_commit_id: number }
  readonly project: ProjectWithRole
  readonly commit: CommitRow
}

/** Of no row: nothing belongs to a commit that is not commented on. */
const NONE = 0

const noteableOf = (ctx: Pick<Context, 'actor'>, project: ProjectWithRole, commit: CommitRow, id: number): NoteableCommit => ({
  noun: 'commit',
  key: { commented_commit_id: id },
  ...noteableInProject(ctx, project, {
    id,
    iid: NONE,
    state: 'opened',
    author_id: NONE,
    assignee_ids: [],
    label_ids: [],
    confidential: false,
    discussion_locked: false,
  }),
  project,
  commit,
})

/** A commit as a noteable. One statement. */
export async function noteableCommit(
  ctx: Pick<Context, 'db' | 'actor'>,
  project: ProjectWithRole,
  commit: CommitRow,
): Promise<NoteableCommit> {
  const row = await commentedCommit(ctx.db, project.id, commit.commit.id)
  return noteableOf(ctx, project, commit, row?.id ?? NONE)
}

/**
 * The commit with its row, which is made where there is none. The commit is kept from garbage collection: what was said about it stays readable
 * when a push drops it.
 */
export async function beginCommit(ctx: Context, { project, commit }: NoteableCommit): Promise<NoteableCommit> {
  await keepAround(commit.repository, [commit.commit.id])
  return noteableOf(ctx, project, commit, await rowOf(ctx.db, project.id, commit))
}

async function rowOf(db: Db, project_id: number, { commit: { id: sha, title } }: CommitRow): Promise<number> {
  const { id } = await db
    .insertInto('commented_commits')
    .values({ project_id, sha, title })
    // The title is set again so that the statement answers the id of a row that a concurrent request made.
    .onConflict(conflict => conflict.columns(['project_id', 'sha']).doUpdateSet({ title }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Declaration of the endpoints of threads on commits. */
export const commitApi = {
  path: '/projects/:id/repository/commits/:sha',
  noun: 'a commit',
  scope: within(inCommit, {
    name: 'inCommit',
    path: {},
    load: async ctx => ({ noteable: await noteableCommit(ctx, ctx.project, ctx.commit) }),
  }),
  can: { read: 'read_code', say: 'create_commit_note', change: 'admin_commit_note', award: 'create_commit_note' },
} satisfies NoteableApi
