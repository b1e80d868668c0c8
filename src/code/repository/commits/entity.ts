/** A commit as JSON, in three sizes (commits API at 14.0). */
import Type from 'typebox'
import { basicFields, presentBasic } from '../../../ci/pipelines/basic.ts'
import { latestPipelinesOf, type PipelineRow } from '../../../ci/pipelines/queries.ts'
import { projectsWithOpenPipelines } from '../../../ci/pipelines/visible.ts'
import { type CommitStats, commitStats } from '../../../platform/git/commits/history.ts'
import type { Commit as GitCommit } from '../../../platform/git/objects/commit-object.ts'
import type { Repository } from '../../../platform/git/repository.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../../platform/kernel/context.ts'
import { DateTime, Nullable } from '../../../platform/kernel/types.ts'

/** What of a project the JSON of things in its repository needs. */
export interface InProject {
  readonly id: number
  readonly full_path: string
}

/** A commit with where it is. */
export interface CommitRow {
  readonly commit: GitCommit
  readonly project: InProject
  readonly repository: Repository
  /** Where they were asked for. */
  readonly trailers?: Record<string, string>
}

/** What git itself says of a commit. */
export const ownFields = {
  id: Type.String(),
  short_id: Type.String(),
  created_at: DateTime(),
  parent_ids: Type.Array(Type.String()),
  title: Type.String(),
  message: Type.String(),
  author_name: Type.String(),
  author_email: Type.String(),
  authored_date: DateTime(),
  committer_name: Type.String(),
  committer_email: Type.String(),
  committed_date: DateTime(),
}

const fields = {
  ...ownFields,
  trailers: Type.Record(Type.String(), Type.String()),
  web_url: Type.String(),
}

export const commitSchema = Type.Object(fields)

const Stats = Type.Object({ additions: Type.Integer(), deletions: Type.Integer(), total: Type.Integer() })

/** What git itself says of a commit. */
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

/** A commit as others embed it. */
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

type Stated = ReadonlyMap<string, CommitStats>

/** The line counts of a page of commits of one repository: one process. */
const loadStats = async (_ctx: Context, rows: readonly CommitRow[]): Promise<Stated> => {
  const [first] = rows
  return first
    ? commitStats(
        first.repository,
        rows.map(row => row.commit),
      )
    : new Map()
}

const statsOf = (commit: GitCommit, stated: Stated): CommitStats => stated.get(commit.id) ?? { additions: 0, deletions: 0, total: 0 }

/** A commit with its line counts (`with_stats`). */
export const CommitWithStats = entity({
  name: 'CommitWithStats',
  schema: Type.Object({ ...fields, stats: Stats }),
  load: loadStats,
  present: ({ commit, project, trailers }: CommitRow, stated, facts) => ({
    ...presentCommit(commit, project, facts, trailers),
    stats: { ...statsOf(commit, stated) },
  }),
})

const detailFields = {
  ...fields,
  // Contract: null while no pipeline has run for the commit, and where it may not be read (commits API, 14.0).
  status: Nullable(Type.String()),
  last_pipeline: Nullable(Type.Object(basicFields)),
  project_id: Type.Integer(),
}

type Last = ReadonlyMap<string, PipelineRow>

/** The newest pipelines of these commits of one project that the caller may read, by commit. */
async function loadLast({ db, actor }: Context, rows: readonly CommitRow[]): Promise<Last> {
  const [first] = rows
  const open = first && (await projectsWithOpenPipelines(db, actor, [first.project.id]))
  if (!first || !open?.has(first.project.id)) return new Map()
  return latestPipelinesOf(
    db,
    first.project.id,
    rows.map(({ commit }) => commit.id),
  )
}

function presentDetail({ commit, project, trailers }: CommitRow, last: Last, facts: Facts) {
  const pipeline = last.get(commit.id)
  return {
    ...presentCommit(commit, project, facts, trailers),
    status: pipeline?.status ?? null,
    last_pipeline: pipeline ? presentBasic(pipeline, facts) : null,
    project_id: project.id,
  }
}

/** A commit by itself, without line counts (`stats=false`). */
export const CommitSummary = entity({
  name: 'CommitDetailWithoutStats',
  schema: Type.Object(detailFields),
  load: loadLast,
  present: (row: CommitRow, last: Last, facts) => presentDetail(row, last, facts),
})

/** A commit by itself. */
export const CommitDetail = entity({
  name: 'CommitDetail',
  schema: Type.Object({ ...detailFields, stats: Stats }),
  load: async (ctx: Context, rows: readonly CommitRow[]) => ({ stated: await loadStats(ctx, rows), last: await loadLast(ctx, rows) }),
  present: (row: CommitRow, { stated, last }, facts) => ({
    ...presentDetail(row, last, facts),
    stats: { ...statsOf(row.commit, stated) },
  }),
})
