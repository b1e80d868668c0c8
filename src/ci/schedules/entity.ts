/** A pipeline schedule as JSON, in a short and a long form, and its variables (pipeline schedules API at 14.0). */

import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, flag, integer, Nullable, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { Secret } from '../../platform/secret.ts'
import { projectsWithRoleById } from '../../spaces/projects/queries.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { listedFields, presentListed } from '../pipelines/lists/basic.ts'
import type { PipelineRow } from '../pipelines/queries.ts'
import { RUN_VALUE_PURPOSE } from '../run_variables/given.ts'
import { lastPipelinesOf, type ScheduleRow, type ScheduleVariableRow, scheduleVariables } from './queries.ts'

const fields = {
  id: integer('ID, unique on the instance'),
  description: text('Description of the schedule'),
  ref: text('Name of the branch or tag that it runs on'),
  cron: text('When it runs, in cron syntax'),
  cron_timezone: text('Time zone of the cron times'),
  next_run_at: Nullable(DateTime('When it runs next; null while it is off')),
  active: flag('Whether the schedule runs'),
  // Contract: Ingot's own: the platform does not say what came of a run (public behaviour).
  last_run_at: Nullable(DateTime('When it ran last, by the clock or by hand; null where it has not run yet')),
  last_run_errors: described('Why its last run made no pipeline; empty where it made one', Type.Array(Type.String())),
  created_at: DateTime('When it was created'),
  updated_at: DateTime('When it was last changed'),
  /** Null if the account was deleted. */
  owner: Nullable(described('The user whom its pipelines run as; null where the account is deleted', Type.Object(summaryFields))),
}

type Users = ReadonlyMap<number, SummaryRow>

function present(row: ScheduleRow, users: Users, facts: Facts) {
  const owner = row.owner_id === null ? undefined : users.get(row.owner_id)
  return {
    id: row.id,
    description: row.description,
    ref: row.ref,
    cron: row.cron,
    cron_timezone: row.cron_timezone,
    next_run_at: row.next_run_at,
    active: row.active,
    last_run_at: row.last_run_at,
    last_run_errors: row.last_run_errors,
    created_at: row.created_at,
    updated_at: row.updated_at,
    owner: owner ? presentSummary(owner, facts) : null,
  }
}

export const PipelineSchedule = entity({
  name: 'PipelineSchedule',
  schema: Type.Object(fields),
  load: ({ db }: Context, rows: readonly ScheduleRow[]) => usersById(db, idsOf(rows, 'owner_id')),
  present,
})

const variableFields = {
  variable_type: OneOf(['env_var', 'file'], {
    description: '`env_var`: a variable with the value; `file`: a variable with the path of a file that holds it',
  }),
  key: text('Name of the variable'),
  value: text('Value of the variable'),
}

const presentVariable = ({ variable_type, key }: ScheduleVariableRow, value: Secret) => ({ variable_type, key, value: value.reveal() })

/** The values of variables, by id. */
const valuesOf = ({ deps }: Context, rows: readonly ScheduleVariableRow[]): ReadonlyMap<number, Secret> =>
  new Map(rows.map(({ id, value }) => [id, deps.secrets.decrypt(value, RUN_VALUE_PURPOSE)]))

export const ScheduleVariable = entity({
  name: 'PipelineScheduleVariable',
  schema: Type.Object(variableFields),
  load: async (ctx: Context, rows: readonly ScheduleVariableRow[]) => valuesOf(ctx, rows),
  present: (row: ScheduleVariableRow, values: ReadonlyMap<number, Secret>) => presentVariable(row, values.get(row.id) as Secret),
})

interface Loaded {
  readonly users: Users
  readonly pipelines: ReadonlyMap<number, PipelineRow>
  readonly variables: ReadonlyMap<number, readonly ScheduleVariableRow[]>
  readonly values: ReadonlyMap<number, Secret>
  readonly projects: Awaited<ReturnType<typeof projectsWithRoleById>>
}

/** A single schedule. */
export const PipelineScheduleDetails = entity({
  name: 'PipelineScheduleDetails',
  schema: Type.Object({
    ...fields,
    last_pipeline: Nullable(described('The newest pipeline; null where there is none', Type.Object(listedFields))),
    // Contract: only for users who may change the schedule; absent for others (pipeline schedules API).
    variables: optional(described('Variables of its pipelines', Type.Array(Type.Object(variableFields)))),
  }),
  async load(ctx: Context, rows: readonly ScheduleRow[]): Promise<Loaded> {
    const { db, actor } = ctx
    const ids = rows.map(({ id }) => id)
    const variables = await scheduleVariables(db, ids).execute()
    return {
      users: await usersById(db, idsOf(rows, 'owner_id')),
      pipelines: await lastPipelinesOf(db, ids),
      variables: Map.groupBy(variables, variable => variable.schedule_id as number),
      values: valuesOf(ctx, variables),
      projects: await projectsWithRoleById(db, actor, [...new Set(idsOf(rows, 'project_id'))]),
    }
  },
  present(row: ScheduleRow, { users, pipelines, variables, values, projects }: Loaded, facts) {
    const last = pipelines.get(row.id)
    const project = projects.get(row.project_id)
    const own = row.owner_id !== null && row.owner_id === facts.actor.user?.id
    const mayChange = project && allows(facts.actor, 'update_pipeline_schedule', { ...projectSubject(project), own }) === 'yes'
    return {
      ...present(row, users, facts),
      last_pipeline: last ? presentListed(last, facts) : null,
      ...(mayChange && {
        variables: (variables.get(row.id) ?? []).map(variable => presentVariable(variable, values.get(variable.id) as Secret)),
      }),
    }
  },
})
