/** The pages of pipeline schedules follow them and their pipelines. */
import { changedIn, openBy, type Topic, type TopicKind } from '../../platform/pages/live/topics.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { pipelinesTopic } from '../pipelines/live.ts'

/** The topic of a project's schedules. */
export const schedulesTopicOf = ({ id }: { readonly id: number }): Topic => `pipeline_schedules:${id}`

const changes = [
  changedIn('pipeline_schedules', 'project_id'),
  // A run is no change of the schedule.
  changedIn('pipeline_schedules', 'project_id', 'last_run_at'),
  pipelinesTopic.hasChanged,
]

/** `pipeline_schedules:<project id>` */
export const schedulesTopic: TopicKind = {
  isOpen: openBy(inProject, 'read_pipeline_schedule', id => ({ id: String(id) })),
  async hasChanged(ctx, id, since) {
    for (const changed of changes) if (await changed?.(ctx, id, since)) return true
    return false
  },
}
