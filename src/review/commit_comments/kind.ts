/** Commits as a kind of what notes can be on (collaboration/item_kinds/item_kind.ts). */
import { sql } from 'kysely'
import { commitAt, commitsAt } from '../../ci/commits.ts'
import { commitSchema, presentCommit } from '../../code/repository/commits/entity.ts'
import type { TodoKind } from '../../collaboration/item_kinds/item_kind.ts'
import { inProjectPlace, type TextPlace } from '../../collaboration/mentions/text_place.ts'
import { commitNamed } from '../../collaboration/system_notes/record.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type Commit, emptyTreeId } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { accessLevelsIn, actorOf } from '../../spaces/projects/attributes/access_levels.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { beginCommit, commitApi, type NoteableCommit } from './noteable.ts'
import { type CommentedCommitRow, commentedCommitVisibleTo, commitTables, visibleCommentedCommits } from './queries.ts'

/** A commit within a to-do item. */
interface Shown {
  readonly row: CommentedCommitRow
  readonly commit: Commit
}

/** What is known of a commit whose repository is gone. */
const fromRow = ({ sha, title, created_at }: CommentedCommitRow): Commit => {
  const unknown = { name: '', email: '', date: created_at }
  return { id: sha, parent_ids: [], tree_id: emptyTreeId, title, message: title, author: unknown, committer: unknown, is_signed: false }
}

async function shownById(ctx: Context, ids: readonly number[]): Promise<Map<number, Shown>> {
  const rows = await visibleCommentedCommits(ctx.db, ctx.actor, ids)
  const commits = await commitsAt(ctx, rows)
  return new Map(rows.map(row => [row.id, { row, commit: commitAt(commits, row) ?? fromRow(row) }]))
}

/** Counts added or deleted user notes. */
async function countNotes(db: Db, id: number, change: number, now: Date): Promise<void> {
  await db
    .updateTable('commented_commits')
    .set(({ eb }) => ({ notes_count: eb('notes_count', '+', change), updated_at: now }))
    .where('id', '=', id)
    .execute()
}

/** The place of what is said about a commit, which decides who can be mentioned. */
export const commitTextPlace = (project: ProjectRow, { id, sha }: { readonly id: number; readonly sha: string }): TextPlace => ({
  ...inProjectPlace(project),
  key: { commented_commit_id: id },
  iid: 0,
  named: path =>
    path.toLowerCase() === project.full_path.toLowerCase()
      ? { words: commitNamed({ commit: sha }), named_commit: sha }
      : { words: commitNamed({ commit: sha, project }), named_commit: sha, named_project_id: project.id },
  async readers({ db }, userIds, internal) {
    const standings = await accessLevelsIn(db, project, userIds)
    const ability = internal ? 'read_internal_commit_note' : 'read_code'
    return [...new Set(userIds)].filter(userId => {
      const user = standings.get(userId)
      return user !== undefined && allows(actorOf(user), ability, projectSubject({ ...project, role: user.level })) === 'yes'
    })
  },
})

export const commitKind: TodoKind = {
  ...commitTables,
  noun: 'commit',
  type: 'Commit',
  within: 'project',
  from: 'commented_commits',
  resolvable: false,
  answer: {
    schema: commitSchema,
    visibleById: shownById,
    load: async () => undefined,
    present: (shown, _loaded, facts) => {
      const { row, commit } = shown as Shown
      return presentCommit(commit, { id: row.project_id, full_path: row.project_path }, facts)
    },
  },
  visible: (actor, inProject = sql<boolean>`projects.id = commented_commits.project_id`, known) =>
    commentedCommitVisibleTo(actor, inProject, known),
  api: commitApi,
  notesApi: commitApi,
  readInternal: 'read_internal_commit_note',
  textPlace: ({ project, commit, item }: NoteableCommit) => commitTextPlace(project, { id: item.id, sha: commit.commit.id }),
  countNotes,
  begin: (ctx, noteable) => beginCommit(ctx, noteable as NoteableCommit),
}
