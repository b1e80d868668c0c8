/** The agents that a job may use (document 2, `GET /job/allowed_agents`). */

import { idsOf } from '../../identity/users/queries.ts'
import { entryAt, GitError, ImmutableCache, readBlob, resolveCommit } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type ProjectRow, projectsById } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { JobRow } from '../jobs/queries.ts'
import { type CiAccess, ciAccessIn, configPath, letsIn } from './access.ts'
import { type AgentRow, agentsBelow } from './queries.ts'

/** Maximum number of agents of one top-level namespace that are considered, oldest first. */
const MOST_AGENTS = 200

/** Maximum size of a configuration, in bytes: one request may read those of all these agents. */
const LARGEST_CONFIG = 16 * 1024

/** What configurations say, by the id of their blob: each is read once, however many jobs ask. */
const accesses = new ImmutableCache<CiAccess>(500)

const NOTHING: CiAccess = { projects: [], groups: [] }

/** An agent that a job may use. */
export interface JobContext {
  readonly job: JobRow
  readonly agents: readonly AgentRow[]
}

/**
 * The agents of the job's own project, and those below the same top-level group whose configuration grants access to the project or to a
 * group above it. The configurations are read in their current version.
 */
export async function allowedAgents(ctx: Context, job: JobRow): Promise<JobContext> {
  const project = (await projectsById(ctx.db, [job.project_id])).get(job.project_id) as ProjectRow
  const top = project.namespace_traversal_ids[0] as number
  const candidates = await agentsBelow(ctx.db, top).limit(MOST_AGENTS).execute()
  const projects = await projectsById(ctx.db, idsOf(candidates, 'project_id'))
  const agents: AgentRow[] = []
  for (const agent of candidates) {
    const home = projects.get(agent.project_id) as ProjectRow
    if (home.id === project.id || letsIn(await accessOf(ctx, home, agent.name), project.full_path)) agents.push(agent)
  }
  return { job, agents }
}

/** What the configuration of an agent says; nothing where there is none that can be read. */
async function accessOf({ deps }: Context, project: ProjectRow, name: string): Promise<CiAccess> {
  const repository = project.default_branch === null ? undefined : await findRepository(deps.storages, project)
  const commit = repository && (await resolveCommit(repository, `refs/heads/${project.default_branch}`))
  const entry = commit === undefined ? undefined : await entryAt(repository as NonNullable<typeof repository>, commit, configPath(name))
  if (!repository || entry?.type !== 'blob') return NOTHING
  try {
    return await accesses.get(entry.id, async () => ciAccessIn((await readBlob(repository, entry.id, LARGEST_CONFIG)).toString('utf8')))
  } catch (error) {
    if (error instanceof GitError) return NOTHING
    throw error
  }
}
