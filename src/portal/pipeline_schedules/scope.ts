/** Pipeline schedules and their variables by the addresses of their pages. */
import type { ScheduleRow, ScheduleVariableRow } from '../../ci/schedules/queries.ts'
import { inSchedule, inScheduleVariable } from '../../ci/schedules/scope.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { projectHome } from '../things/homes.ts'

export const SCHEDULES = '/:project_path/-/pipeline_schedules'
export const SCHEDULE = `${SCHEDULES}/:pipeline_schedule_id` as const

export interface InProject {
  readonly project: ProjectWithRole
}

export interface InSchedule extends InProject {
  readonly schedule: ScheduleRow
  /** Does it run with the rights of the caller? */
  readonly isOwn: boolean
}

export interface InVariable extends InSchedule {
  readonly variable: ScheduleVariableRow
}

export const inSchedulePage = projectHome.inPage(inSchedule)
export const inScheduleVariablePage = projectHome.inPage(inScheduleVariable)

type Project = { readonly full_path: string }

/** The path of the list of schedules, or of what is below it. Pure. */
export const schedulesPath = (project: Project, rest = ''): string => projectPath(project, `/-/pipeline_schedules${rest}`)

/** The path of a schedule's page. Pure. */
export const schedulePath = (project: Project, { id }: { readonly id: number }, rest = ''): string =>
  schedulesPath(project, `/${id}${rest}`)

/** May the caller do this with schedules of the project? `own`: with one that runs with their rights. */
export const may = ({ actor, project }: Pick<Context, 'actor'> & InProject, ability: Ability, own = false): boolean =>
  allows(actor, ability, { ...projectSubject(project), own }) === 'yes'
