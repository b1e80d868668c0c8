/** The facts behind predefined variables, from the database and git: a fixed number of statements. */
import { type RawBuilder, sql } from 'kysely'
import { rowAllows } from '../../platform/access/ability_conditions.ts'
import { levelInProject } from '../../platform/access/memberships.ts'
import { personOfKind } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import { type Commit, ImmutableCache, type Repository, readCommit } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { hasClusterFor, type UsingProject } from '../clusters/queries.ts'
import { jobHooks } from '../jobs/hooks.ts'
import type { Facts, MergeRequestFacts, ProjectFacts, UserFacts } from './predefined.ts'

/** The required columns of a project. */
export interface ProjectOf extends Omit<ProjectFacts, 'languages' | 'isFrozen' | 'hasCluster'> {
  readonly repository_storage: string
  readonly namespace_traversal_ids: readonly number[]
}

/** A pipeline, stored or planned. */
export interface PipelineOf extends Omit<Facts['pipeline'], 'ref' | 'ref_type' | 'openMergeRequests'> {
  /** Short name of a branch or tag, or the name of a merge request's reference. */
  readonly ref: string
  readonly tag: boolean
  readonly merge_request_id: number | null
  readonly user_id: number | null
}

/** Maximum number of open merge requests that are listed. */
const NAMED = 4

/** The facts about a pipeline of a project. */
export async function factsAbout(ctx: Context, project: ProjectOf, pipeline: PipelineOf): Promise<Facts> {
  const { db, deps, url, tier } = ctx
  const mergeRequest =
    pipeline.merge_request_id === null ? undefined : await mergeRequestFacts(db, pipeline.merge_request_id, project.id, pipeline.user_id)
  const ref = mergeRequest?.source_branch ?? pipeline.ref
  const [commit, around] = await Promise.all([
    findRepository(deps.storages, project).then(repository => repository && commitIn(repository, pipeline.sha)),
    surroundings(db, project, ref, pipeline.user_id),
  ])
  const { languages, has_cluster, has_freeze_periods, merge_requests, ...user } = around
  return {
    url,
    tier,
    sites: deps.config.pagesUrl,
    hasDependencyProxy: deps.config.dependencyProxyUrl !== undefined,
    project: {
      ...project,
      languages,
      hasCluster: has_cluster,
      isFrozen: has_freeze_periods && (await jobHooks.value.isFrozen(db, project.id, ctx.now)),
    },
    pipeline: {
      ...pipeline,
      ref,
      ref_type: mergeRequest ? 'merge_request' : pipeline.tag ? 'tag' : 'branch',
      openMergeRequests: pipeline.tag ? [] : merge_requests,
    },
    commit,
    mergeRequest,
    user: user.id === null ? undefined : (user as UserFacts),
    job: undefined,
    runner: undefined,
  }
}

/** Is the merge request open to a user of this kind who has the role of the row `target`? */
const opensTo = (kind: 'external' | 'regular') => rowAllows(personOfKind(kind, 0), 'read_merge_request', 'target')

/**
 * May the user `users` read the merge requests of the project with this id? A pipeline of a fork is about a merge request of another project,
 * which need not be open to those who work on the fork, or no longer. As with the token of a job, an administrator has what their memberships
 * give: others wrote what runs. False without a user.
 */
const mayReadMergeRequestsOf = (projectId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`coalesce((select users.state = 'active' and case when users.external then ${opensTo('external')} else ${opensTo('regular')} end
    from (select projects.*, ${levelInProject(sql`users.id`, 'projects', 'namespaces')} as role
            from projects join namespaces on namespaces.id = projects.namespace_id
           where projects.id = ${projectId} and not projects.deleting offset 0) as target), false)`

/** Cache of pipelines' commits, which all jobs of a pipeline need; commits that git does not have are not cached. */
const commits = new ImmutableCache<Commit>(200)

class NoCommit extends Error {}

async function commitIn(repository: Repository, sha: string): Promise<Commit | undefined> {
  const read = async () => (await readCommit(repository, sha)) ?? Promise.reject(new NoCommit())
  return commits.get(`${repository.path} ${sha}`, read).catch(error => {
    if (!(error instanceof NoCommit)) throw error
    return undefined
  })
}

type Surroundings = { languages: string[]; has_cluster: boolean; has_freeze_periods: boolean; merge_requests: string[] } & (
  | UserFacts
  | { id: null }
)

const surrounding = compiled(
  (_db, projectId: number, groupIds: readonly number[], branch: string, userId: number | null) => sql<Surroundings>`${genericPlan}
    select array(select name from project_languages where project_id = ${projectId} order by share desc, name) as languages,
           ${hasClusterFor(projectId, groupIds)} as has_cluster,
           exists (select from freeze_periods where project_id = ${projectId}) as has_freeze_periods,
           array(select routes.path || '!' || m.iid from merge_requests m join routes on routes.project_id = m.project_id
             where m.source_project_id = ${projectId} and m.source_branch = ${branch} and m.state in ('opened', 'locked')
               and (m.project_id = ${projectId} or ${mayReadMergeRequestsOf(sql`m.project_id`)})
             order by m.id desc limit ${sql.lit(NAMED)}) as merge_requests,
           users.id, users.email, users.username, users.name
      from (values (${userId}::bigint)) as wanted(user_id) left join users on users.id = wanted.user_id`,
)

/** The remaining facts about a project and one of its branches, and the user of the pipeline: one statement. */
const surroundings = async (db: Db, project: UsingProject, branch: string, userId: number | null): Promise<Surroundings> =>
  (await surrounding(db, project.id, project.namespace_traversal_ids, branch, userId))[0] as Surroundings

/** What a fork does not know of its merge request by itself. */
const hidden = {
  title: null,
  project_id: null,
  project_path: null,
  target_branch: null,
  milestone: null,
  version_id: null,
  base_sha: null,
  assignees: [],
  labels: [],
} as const satisfies Partial<MergeRequestFacts>

/**
 * The merge request of a pipeline.
 * @param projectId the project of the pipeline
 * @param userId the user for whom it runs
 */
async function mergeRequestFacts(db: Db, id: number, projectId: number, userId: number | null): Promise<MergeRequestFacts | undefined> {
  const found = await db
    .selectFrom('merge_requests as m')
    .innerJoin('routes as target', 'target.project_id', 'm.project_id')
    .leftJoin('routes as source', 'source.project_id', 'm.source_project_id')
    .leftJoin('merge_request_versions as version', 'version.id', 'm.latest_version_id')
    .leftJoin('milestones as milestone', 'milestone.id', 'm.milestone_id')
    .leftJoin('users', join => join.on('users.id', '=', sql<number>`${userId}::bigint`))
    .select(({ ref }) => [
      'm.id',
      'm.iid',
      'm.title',
      'm.project_id',
      'target.path as project_path',
      'm.source_project_id',
      'source.path as source_project_path',
      'm.source_branch',
      'm.target_branch',
      'milestone.title as milestone',
      'version.id as version_id',
      ref('version.base_commit_sha').as('base_sha'),
      sql<string[]>`array(select u.username from merge_request_assignees a join users u on u.id = a.user_id
        where a.merge_request_id = m.id order by u.username)`.as('assignees'),
      sql<string[]>`array(select l.name from merge_request_labels x join labels l on l.id = x.label_id
        where x.merge_request_id = m.id order by l.name)`.as('labels'),
      sql<boolean>`m.project_id = ${projectId} or ${mayReadMergeRequestsOf(sql`m.project_id`)}`.as('is_readable'),
    ])
    .where('m.id', '=', id)
    .executeTakeFirst()
  if (!found) return undefined
  const { is_readable, ...known } = found
  return is_readable ? known : { ...known, ...hidden }
}
