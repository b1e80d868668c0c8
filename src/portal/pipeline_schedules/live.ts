/** The pages of pipeline schedules follow them and their pipelines. */
import { changedIn, openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { pipelinesTopic } from '../pipelines/live.ts'

/** The topic of a project's schedules. */
export const schedulesTopicOf = ({ id }: { readonly id: number }): Topic => `pipeline_schedules:${id}`

const changed = changedIn('pipeline_schedules', 'project_id')

/** `pipeline_schedules:<project id>` */
export const schedulesTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_pipeline_schedule', id => ({ id: String(id) })),
  hasChanged: async (ctx, id, since) => (await changed(ctx, id, since)) || (await pipelinesTopic.hasChanged?.(ctx, id, since)) === true,
}
