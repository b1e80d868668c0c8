import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject, projectSubject } from '../../spaces/projects/scope.ts'
import { isOwnRun } from '../own.ts'
import { schedulesOf, scheduleVariables } from './queries.ts'

/** `:pipeline_schedule_id` becomes a schedule of the project, or 404. `isOwn`: it is the caller's, who may still run pipelines. */
export const inSchedule = within(inProject, {
  name: 'inSchedule',
  path: { pipeline_schedule_id: integer('ID of a pipeline schedule') },
  async load({ db, actor, project }, { pipeline_schedule_id }) {
    const schedule = await schedulesOf(db, project.id).where('id', '=', pipeline_schedule_id).executeTakeFirst()
    if (!schedule) throw notFound('Pipeline Schedule')
    return { schedule, isOwn: isOwnRun(actor, project, schedule.owner_id) }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
  modifiedAt: ({ schedule }) => schedule.updated_at,
})

/** `:key` becomes a variable of the schedule, or 404. */
export const inScheduleVariable = within(inSchedule, {
  name: 'inScheduleVariable',
  path: { key: text('Name of a variable') },
  async load({ db, schedule }, { key }) {
    const variable = await scheduleVariables(db, [schedule.id]).where('key', '=', key).executeTakeFirst()
    if (!variable) throw notFound('Variable')
    return { variable }
  },
})
