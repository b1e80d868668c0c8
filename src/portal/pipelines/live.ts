/** The pages of pipelines and jobs follow them: their statuses, and what a job writes. */
import { inJobOrBridge } from '../../ci/jobs/scope.ts'
import { inPipeline } from '../../ci/pipelines/scope.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { changedIn, openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'

/** The topic of a project's pipelines. */
export const pipelinesTopicOf = ({ id }: { readonly id: number }): Topic => `pipelines:${id}`

/** `pipelines:<project id>` */
export const pipelinesTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_pipeline', id => ({ id: String(id) })),
  hasChanged: changedIn('pipelines', 'project_id'),
}

/** The topic of a pipeline with its jobs. */
export const pipelineTopicOf = ({ id }: { readonly id: number }): Topic => `pipeline:${id}`

/** The project that a pipeline or job is of. */
const projectOf = (table: 'pipelines' | 'jobs', { db }: Context, id: number) =>
  db.selectFrom(table).select('project_id').where('id', '=', id).executeTakeFirst()

/** `pipeline:<id>` */
export const pipelineTopic: TopicKind = {
  async isOpen(ctx, id) {
    const row = await projectOf('pipelines', ctx, id)
    return row !== undefined && openBy(inPipeline, 'read_pipeline', () => ({ id: String(row.project_id), pipeline_id: id }))(ctx, id)
  },
  hasChanged: changedIn('jobs', 'pipeline_id'),
}

/** The topic of a job and its log. */
export const jobTopicOf = ({ id }: { readonly id: number }): Topic => `job:${id}`

/** `job:<id>` */
export const jobTopic: TopicKind = {
  async isOpen(ctx, id) {
    const row = await projectOf('jobs', ctx, id)
    return row !== undefined && openBy(inJobOrBridge, 'read_job', () => ({ id: String(row.project_id), job_id: id }))(ctx, id)
  },
  hasChanged: changedIn('jobs', 'id'),
}
