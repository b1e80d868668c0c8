/** The pipelines of commits, for those who may read them. */
import { latestPipelinesOf, type PipelineRow, pipelines } from '../../../ci/pipelines/queries.ts'
import { allows } from '../../../platform/access/abilities.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'

type Caller = Pick<Context, 'db' | 'actor'>

const mayRead = ({ actor }: Caller, project: ProjectWithRole): boolean => allows(actor, 'read_pipeline', projectSubject(project)) === 'yes'

/** The newest pipeline of each commit: one statement for a page. */
export const pipelineOfEach = async (ctx: Caller, project: ProjectWithRole, ids: readonly string[]): Promise<Map<string, PipelineRow>> =>
  mayRead(ctx, project) ? latestPipelinesOf(ctx.db, project.id, ids) : new Map()

/** Pipelines that a commit's page shows. */
const MOST = 20

/** The pipelines of a commit, newest first. */
export const pipelinesOfCommit = async (ctx: Caller, project: ProjectWithRole, id: string): Promise<readonly PipelineRow[]> =>
  mayRead(ctx, project)
    ? pipelines(ctx.db)
        .where('pipelines.project_id', '=', project.id)
        .where('pipelines.sha', '=', id)
        .where('pipelines.source', '<>', 'parent_pipeline')
        .orderBy('pipelines.id', 'desc')
        .limit(MOST)
        .execute()
    : []
