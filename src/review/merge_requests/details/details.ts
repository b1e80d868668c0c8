/** A single merge request as JSON: the list fields, and those that are worth computing for one (document 3 "Merge request"). */
import Type from 'typebox'
import {
  type Loaded as LoadedPipelines,
  load as loadPipelines,
  fields as pipelineFields,
  present as presentPipeline,
} from '../../../ci/pipelines/entity.ts'
import { basicFields, pipelineUrl } from '../../../ci/pipelines/lists/basic.ts'
import type { PipelineRow } from '../../../ci/pipelines/queries.ts'
import { branchRights } from '../../../code/protected_branches/rights.ts'
import { linksOf } from '../../../collaboration/markdown/links.ts'
import { renderMarkdown } from '../../../collaboration/markdown/reading.ts'
import { countCommits, isAncestor, readRefs } from '../../../platform/git/index.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { readableHeadPipelines } from '../../merge_request_pipelines/queries.ts'
import { fields, LabelNames, type Loaded, labelNames, load, mergeFactsIn, present } from '../entity.ts'
import { subscribedMergeRequests } from '../item_kind/subscribed.ts'
import { isRebasing } from '../merging/rebase/rebase_state.ts'
import { branchRef } from '../merging/tips.ts'
import type { MergeRequestRow } from '../queries.ts'
import { countShown } from '../versions/counts.ts'
import { detailedMergeStatus } from './mergeable.ts'

const { id, sha, ref, status, web_url } = basicFields

const DiffRefs = Type.Object({
  base_sha: text('ID of the common ancestor of both branches'),
  head_sha: text("ID of the source branch's commit"),
  start_sha: text("ID of the target branch's commit"),
})

/** Fields that are computed only on request. */
const asked = {
  /** Number of commits on the target branch that the source branch lacks. */
  diverged_commits_count: optional(integer('Number of commits by which the source branch is behind its target')),
  rebase_in_progress: optional(flag('Whether a rebase is under way')),
  title_html: optional(text('Title as HTML')),
  description_html: optional(Nullable(text('Description as HTML; null where there is none'))),
  // Contract: only GET of a single merge request returns it (merge requests API at 14.0).
  first_contribution: optional(flag('Whether the author has no merged merge request here yet')),
}

/** The fields that a single merge request has besides those of lists. */
export const detailFields = {
  merge_error: Nullable(text('Why the last merge or rebase failed; null where it did not')),
  has_conflicts: flag('Whether the branches conflict'),
  blocking_discussions_resolved: flag('Whether all threads that must be resolved are'),
  subscribed: flag('Whether the caller is subscribed'),
  changes_count: Nullable(text('Number of changed files as text, `1000+` for more; null until counted')),
  overflow: flag('Whether some of the changes are left out because they are too large'),
  latest_build_started_at: Nullable(DateTime('When the newest pipeline began; null until then')),
  latest_build_finished_at: Nullable(DateTime('When the newest pipeline ended; null until then')),
  first_deployed_to_production_at: Nullable(DateTime('When it first reached production; null until then')),
  // Contract: null if no pipeline has run for its newest commit (document 3 `pipeline`, `head_pipeline`), or if the caller may not read it.
  pipeline: Nullable(
    described(
      'Deprecated: the newest pipeline of the source branch; null where there is none',
      Type.Object({ id, sha, ref, status, web_url }),
    ),
  ),
  head_pipeline: Nullable(described('The newest pipeline of the source branch; null where there is none', Type.Object(pipelineFields))),
  diff_refs: Nullable(described('Commits that the differences were made from; null until the merge request is prepared', DiffRefs)),
  user: described('What the caller may do', Type.Object({ can_merge: flag('Whether the caller may merge') })),
  ...asked,
}

type Asked = { readonly [K in keyof typeof asked]?: Type.Static<(typeof asked)[K]> | undefined }

/** A merge request with the fields computed on request. */
export type DetailedRow = MergeRequestRow & {
  readonly asked?: Asked
  /** Whether the caller may merge into the target branch, if the command that changed it knows. */
  readonly mayMerge?: boolean
  /** Whether the source branch must be rebased before the merge. Not computed for lists: it takes a git process each. */
  readonly needsRebase?: boolean
}

export interface LoadedDetails extends Loaded {
  readonly subscribed: ReadonlySet<number>
  /** Ids of the merge requests whose target branch the caller may merge into. */
  readonly mergeable: ReadonlySet<number>
  /** Head pipelines that the caller may read, by merge request id. */
  readonly heads: ReadonlyMap<number, PipelineRow>
  readonly pipelines: LoadedPipelines
}

export async function loadDetails(ctx: Context, rows: readonly DetailedRow[]): Promise<LoadedDetails> {
  const [loaded, { heads, pipelines }, subscribed, mergeable] = await Promise.all([
    load(ctx, rows),
    readableHeadsOf(ctx, rows),
    subscribedMergeRequests(ctx.db, ctx.actor.user?.id, rows),
    mergeableByCaller(ctx, rows),
  ])
  return { ...loaded, heads, pipelines, subscribed, mergeable }
}

/** The head pipelines that the caller may read, with what their JSON needs. */
async function readableHeadsOf(ctx: Context, rows: readonly MergeRequestRow[]): Promise<Pick<LoadedDetails, 'heads' | 'pipelines'>> {
  const heads = await readableHeadPipelines(ctx, rows)
  return { heads, pipelines: await loadPipelines(ctx, [...heads.values()]) }
}

/** The ids of the merge requests whose target branch the caller may merge into; for the few that are shown in detail. */
async function mergeableByCaller(ctx: Context, rows: readonly DetailedRow[]): Promise<ReadonlySet<number>> {
  const mergeable = new Set(rows.filter(row => row.mayMerge).map(row => row.id))
  if (!ctx.actor.user) return mergeable
  const unknown = rows.filter(row => row.mayMerge === undefined)
  for (const [projectId, ofProject] of Map.groupBy(unknown, row => row.project_id)) {
    const project = await visibleProject(ctx.db, ctx.actor, String(projectId))
    const rights = project && (await branchRights(ctx, project))
    for (const row of ofProject) if (rights?.mayMerge(row.target_branch)) mergeable.add(row.id)
  }
  return mergeable
}

/** The fields that depend on the head pipeline. */
function presentHead(head: PipelineRow | undefined, pipelines: LoadedPipelines, facts: Facts) {
  return {
    latest_build_started_at: head?.started_at ?? null,
    latest_build_finished_at: head?.finished_at ?? null,
    pipeline: head ? { id: head.id, sha: head.sha, ref: head.ref, status: head.status, web_url: pipelineUrl(head, facts) } : null,
    head_pipeline: head ? presentPipeline(head, pipelines, facts) : null,
  }
}

export const presentDetails = (row: DetailedRow, loaded: LoadedDetails, facts: Facts) => ({
  ...present(row, loaded, facts),
  detailed_merge_status: detailedMergeStatus({ ...mergeFactsIn(loaded, row), needsRebase: row.needsRebase }),
  labels: labelNames(row, loaded),
  merge_error: row.merge_error,
  // Contract: false unless the check has found conflicts (document 3 `has_conflicts`).
  has_conflicts: row.merge_status === 'cannot_be_merged',
  blocking_discussions_resolved: mergeFactsIn(loaded, row).unresolvedThreads === 0,
  subscribed: loaded.subscribed.has(row.id),
  // Contract: a string; above the limit it is `1000+` (decision 41).
  changes_count: row.real_size === null ? null : countShown(row.real_size),
  overflow: row.version_state?.startsWith('overflow') ?? false,
  ...presentHead(loaded.heads.get(row.id), loaded.pipelines, facts),
  first_deployed_to_production_at: row.first_deployed_to_production_at,
  diff_refs:
    row.base_commit_sha === null || row.start_commit_sha === null || row.head_commit_sha === null
      ? null
      : { base_sha: row.base_commit_sha, head_sha: row.head_commit_sha, start_sha: row.start_commit_sha },
  user: { can_merge: loaded.mergeable.has(row.id) },
  ...row.asked,
})

export const MergeRequestDetails = entity({
  name: 'MergeRequestDetails',
  schema: Type.Object({ ...fields, labels: described('Names of its labels', LabelNames), ...detailFields }),
  load: loadDetails,
  present: (row: DetailedRow, loaded: LoadedDetails, facts) => presentDetails(row, loaded, facts),
})

/** The parameters that request additional fields. */
export const detailParams = {
  // Contract: computed only on request (decision 41).
  include_diverged_commits_count: optional(flag('Include how many commits the target branch is ahead')),
  include_rebase_in_progress: optional(flag('Include whether a rebase is in progress')),
  render_html: optional(flag('Include title and description as HTML')),
}

type Wanted = { readonly [K in keyof typeof detailParams]?: boolean | undefined }

/** The merge request with the additional fields that were requested. */
export async function withDetails(ctx: Context, project: ProjectWithRole, row: MergeRequestRow, wanted: Wanted): Promise<DetailedRow> {
  const html = (text: string) => renderMarkdown(text, references => linksOf(ctx, project, references))
  return {
    ...row,
    ...(ctx.actor.user && { mayMerge: (await branchRights(ctx, project)).mayMerge(row.target_branch) }),
    needsRebase: await needsRebase(ctx, project, row),
    asked: {
      ...(wanted.include_diverged_commits_count && { diverged_commits_count: await divergedCommits(ctx, project, row) }),
      ...(wanted.include_rebase_in_progress && { rebase_in_progress: isRebasing(row, ctx.now) }),
      ...(wanted.render_html && {
        title_html: withoutParagraph(await html(row.title)),
        description_html: row.description === null ? null : await html(row.description),
      }),
    },
  }
}

/** Titles are one line: strips the surrounding paragraph. */
const withoutParagraph = (html: string): string => html.trim().replace(/^<p[^>]*>(.*)<\/p>$/s, '$1')

/** The repository with the tip of the target branch, if it exists. */
async function targetOf({ deps }: Context, project: ProjectWithRole, { target_branch }: MergeRequestRow) {
  const repository = await findRepository(deps.storages, project)
  const [tip] = repository ? await readRefs(repository, [branchRef(target_branch)]) : []
  return { repository, tip }
}

/** Is a rebase required because the project merges by fast-forward only? One git process if the branches have diverged. */
async function needsRebase(ctx: Context, project: ProjectWithRole, row: MergeRequestRow): Promise<boolean> {
  if (project.merge_method === 'merge' || row.state !== 'opened' || row.merge_status !== 'can_be_merged' || row.head_sha === null)
    return false
  const { repository, tip } = await targetOf(ctx, project, row)
  return repository !== undefined && tip !== undefined && !(await isAncestor(repository, tip, row.head_sha))
}

/** Number of commits on the target branch that the source branch lacks; 0 if the source is gone. One process. */
async function divergedCommits(ctx: Context, project: ProjectWithRole, row: MergeRequestRow): Promise<number> {
  const { repository, tip } = await targetOf(ctx, project, row)
  return repository && tip !== undefined && row.head_sha !== null ? countCommits(repository, { from: [tip], except: [row.head_sha] }) : 0
}
