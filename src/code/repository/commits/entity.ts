/** A commit as JSON, in three variants (commits API at 14.0). */
import Type from 'typebox'
import { type CommitStats, commitStats, type Commit as GitCommit, type Repository } from '../../../platform/git/index.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../../platform/kernel/context.ts'
import { DateTime, described, integer, text } from '../../../platform/kernel/declaration/types.ts'

/** The project fields that the JSON of repository objects needs. */
export interface InProject {
  readonly id: number
  readonly full_path: string
}

/** A commit with its repository. */
export interface CommitRow {
  readonly commit: GitCommit
  readonly project: InProject
  readonly repository: Repository
  /** Set if they were requested. */
  readonly trailers?: Record<string, string>
}

/** The fields that git itself provides. */
export const ownFields = {
  id: text('ID of the commit'),
  short_id: text('First characters of the ID'),
  created_at: DateTime('When it was created'),
  parent_ids: described('IDs of the parents', Type.Array(Type.String())),
  title: text('First line of the message'),
  message: text('Message of the commit'),
  author_name: text('Name of the author'),
  author_email: text('Email address of the author'),
  authored_date: DateTime('When the change was written'),
  committer_name: text('Name of the committer'),
  committer_email: text('Email address of the committer'),
  committed_date: DateTime('When the commit was made'),
}

/** The fields of a commit embedded in other responses. */
export const commitFields = {
  ...ownFields,
  trailers: described('Trailers of the message', Type.Record(Type.String(), Type.String())),
  web_url: text('Address of the page for people'),
}

export const commitSchema = Type.Object(commitFields)

/** The line counts of a commit. */
export const commitStatsSchema = Type.Object({
  additions: integer('Number of added lines'),
  deletions: integer('Number of deleted lines'),
  total: integer('Number of added and deleted lines'),
})

/** Presents the fields that git itself provides. */
export const presentOwn = (commit: GitCommit) => ({
  id: commit.id,
  short_id: commit.id.slice(0, 8),
  created_at: commit.committer.date,
  parent_ids: [...commit.parent_ids],
  title: commit.title,
  message: commit.message,
  author_name: commit.author.name,
  author_email: commit.author.email,
  authored_date: commit.author.date,
  committer_name: commit.committer.name,
  committer_email: commit.committer.email,
  committed_date: commit.committer.date,
})

/** A commit embedded in other responses. */
export const presentCommit = (commit: GitCommit, project: InProject, { url }: Facts, trailers: Record<string, string> = {}) => ({
  ...presentOwn(commit),
  trailers,
  web_url: `${url}/${project.full_path}/-/commit/${commit.id}`,
})

export const Commit = entity({
  name: 'Commit',
  schema: commitSchema,
  present: ({ commit, project, trailers }: CommitRow, _loaded: undefined, facts) => presentCommit(commit, project, facts, trailers),
})

/** The line counts of commits by id. */
export type Stated = ReadonlyMap<string, CommitStats>

/** The line counts of a page of commits of one repository: one process. */
export const loadStats = async (_ctx: Context, rows: readonly CommitRow[]): Promise<Stated> => {
  const [first] = rows
  return first
    ? commitStats(
        first.repository,
        rows.map(row => row.commit),
      )
    : new Map()
}

/** The line counts of one commit. */
export const statsOf = (commit: GitCommit, stated: Stated): CommitStats => stated.get(commit.id) ?? { additions: 0, deletions: 0, total: 0 }

/** A commit with its line counts (`with_stats`). */
export const CommitWithStats = entity({
  name: 'CommitWithStats',
  schema: Type.Object({ ...commitFields, stats: described('Numbers of lines; left out on request', commitStatsSchema) }),
  load: loadStats,
  present: ({ commit, project, trailers }: CommitRow, stated, facts) => ({
    ...presentCommit(commit, project, facts, trailers),
    stats: { ...statsOf(commit, stated) },
  }),
})
