/** The pages of pipeline schedules: the list, and of each its next runs, its variables and its pipelines. */
import { isOwnRun } from '../../ci/own.ts'
import { maySetVariables, runnableRefs } from '../../ci/pipelines/rights/ref_rights.ts'
import { listSchedules } from '../../ci/schedules/endpoints.ts'
import { ScheduleVariable } from '../../ci/schedules/entity.ts'
import {
  lastPipelinesOf,
  pipelinesOfSchedule,
  type ScheduleRow,
  scheduleCountsOf,
  schedulesOf,
  scheduleVariables,
} from '../../ci/schedules/queries.ts'
import { presentSummary } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { PageRequest } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { revealedPage } from '../../platform/pages/components/revealed.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { withPeople } from '../pipelines/queries.ts'
import { type Owner, schedulesHead, schedulesList } from './list_view.ts'
import { schedulesTopicOf } from './live.ts'
import { runsView } from './runs_view.ts'
import { type ScheduleView, scheduleBody, scheduleHead } from './schedule_view.ts'
import {
  type InProject,
  type InSchedule,
  type InVariable,
  inSchedulePage,
  inScheduleVariablePage,
  may,
  SCHEDULE,
  SCHEDULES,
} from './scope.ts'

/** The owners of schedules, by schedule: one statement. */
async function ownersOf(ctx: Context, rows: readonly ScheduleRow[]): Promise<ReadonlyMap<number, Owner>> {
  const users = await usersById(ctx.db, idsOf(rows, 'owner_id'))
  return new Map(
    rows.flatMap(({ id, owner_id }) => {
      const user = owner_id === null ? undefined : users.get(owner_id)
      return user ? [[id, presentSummary(user, ctx)] as const] : []
    }),
  )
}

/** May the caller run a schedule now? That of a branch or tag on which they may run nothing is refused. */
async function playable(ctx: Context & InProject): Promise<(schedule: ScheduleRow) => boolean> {
  const runnable = await runnableRefs(ctx, ctx.project)
  return ({ ref }) => runnable(ref.startsWith('refs/') ? ref : `refs/heads/${ref}`)
}

export const placeOf = ({ actor, project }: Context & InProject) => projectPlace(actor, project, 'pipelines')

export const showSchedules = pageEndpoint({
  route: `GET ${SCHEDULES}`,
  summary: 'Show the pipeline schedules of a project',
  scope: inProjectPage,
  can: 'read_pipeline_schedule',
  params: { ...listParams, scope: listSchedules.params.scope as NonNullable<(typeof listSchedules)['params'][string]> },
  async run(ctx) {
    const { db, project, actor } = ctx
    const { scope, ...params } = ctx.params as PageRequest & { readonly scope?: 'active' | 'inactive' }
    const { rows, links } = await listPage(ctx, schedulesOf(db, project.id, scope), params)
    const [owners, last, counts] = [
      await ownersOf(ctx, rows),
      await lastPipelinesOf(
        db,
        rows.map(({ id }) => id),
      ),
      await scheduleCountsOf(db, project.id),
    ]
    const mayPlay = await playable(ctx)
    const view = {
      ctx,
      project,
      scope,
      counts,
      links,
      mayCreate: may(ctx, 'create_pipeline_schedule'),
      rows: rows.map(schedule => ({
        schedule,
        owner: owners.get(schedule.id),
        last: last.get(schedule.id),
        mayPlay: mayPlay(schedule),
        mayUpdate: may(ctx, 'update_pipeline_schedule', isOwnRun(actor, project, schedule.owner_id)),
      })),
    }
    const topic = schedulesTopicOf(project)
    return page(ctx, {
      title: 'Pipeline schedules',
      place: placeOf(ctx),
      heading: 'own',
      live: [topic],
      body: html`${schedulesHead(view)}${livePart('pipeline-schedules', topic, schedulesList(view))}`,
    })
  },
})

export const showNextRuns = pageEndpoint({
  route: `GET ${SCHEDULES}/next_runs`,
  summary: 'Show when a cron line is due',
  scope: inProjectPage,
  can: 'read_pipeline_schedule',
  params: {
    cron: text('A cron line', { maxLength: 255, default: '' }),
    cron_timezone: text('Its time zone', { maxLength: 255, default: 'UTC' }),
  },
  run: async ctx =>
    page(ctx, {
      title: 'Next runs',
      place: placeOf(ctx),
      width: 'medium',
      body: html`<turbo-frame id="next-runs">${runsView(ctx.params, ctx.now)}</turbo-frame>`,
    }),
})

export const showSchedule = pageEndpoint({
  route: `GET ${SCHEDULE}`,
  summary: 'Show a pipeline schedule',
  scope: inSchedulePage,
  can: 'read_pipeline_schedule',
  params: listParams,
  async run(input) {
    const ctx = input as unknown as Context & InSchedule & { readonly params: PageRequest }
    const { db, project, schedule, isOwn } = ctx
    const found = await listPage(ctx, pipelinesOfSchedule(db, schedule.id, 'desc'), ctx.params)
    const mayUpdate = may(ctx, 'update_pipeline_schedule', isOwn)
    const view: ScheduleView = {
      ctx,
      project,
      schedule,
      isOwn,
      mayUpdate,
      owner: (await ownersOf(ctx, [schedule])).get(schedule.id),
      mayPlay: (await playable(ctx))(schedule),
      maySetVariables: maySetVariables(ctx, project),
      variables: mayUpdate ? await scheduleVariables(db, [schedule.id]).execute() : undefined,
      pipelines: await withPeople(ctx, found.rows),
      links: found.links,
    }
    const topic = schedulesTopicOf(project)
    return page(ctx, {
      title: schedule.description,
      place: placeOf(ctx),
      heading: 'own',
      live: [topic],
      body: html`${livePart('schedule-head', topic, scheduleHead(view))}${livePart('schedule-body', topic, scheduleBody(view))}`,
    })
  },
})

export const showScheduleVariable = pageEndpoint({
  route: `GET ${SCHEDULE}/variables/:key/value`,
  summary: 'Show the value of a variable of a pipeline schedule',
  scope: inScheduleVariablePage,
  can: 'update_pipeline_schedule',
  async run(input) {
    const ctx = input as unknown as Context & InVariable
    const [shown] = await presentAll(ScheduleVariable, ctx, [ctx.variable])
    const { key, value } = shown as { readonly key: string; readonly value: string }
    return revealedPage(
      ctx,
      { title: `Value of ${key}`, place: placeOf(ctx), width: 'medium' },
      { id: `variable-${ctx.variable.id}`, label: `Value of ${key}`, text: value },
    )
  },
})
