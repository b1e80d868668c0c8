/** All runners of the instance: those that serve everybody, and those of groups and projects. */
import type { JobRow } from '../../../ci/jobs/queries.ts'
import { jobsOfRunner, listedStatuses } from '../../../ci/runner_jobs/lists.ts'
import { listAllRunners, removeRunner, resetRunnerToken, updateRunner } from '../../../ci/runners/endpoints.ts'
import { RunnerInFull } from '../../../ci/runners/entity.ts'
import { allRunners, type RunnerFilters, type RunnerRow, runnerFilterStatuses } from '../../../ci/runners/queries.ts'
import { inManagedRunner } from '../../../ci/runners/scope.ts'
import { presentAll } from '../../../platform/kernel/answer/entity.ts'
import { OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { choicesOf, filterBar, given } from '../../../platform/pages/forms/filter_bar.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { instanceRunnersToken } from '../../../spaces/runners_tokens/commands.ts'
import { resetInstanceToken } from '../../../spaces/runners_tokens/endpoints.ts'
import {
  registrationView,
  runnerButtons,
  runnerFacts,
  runnerFields,
  runnerItem,
  runnerName,
  runnerStates,
  runnerTypes,
  runnerValues,
} from '../../runners/runner_view.ts'
import { secretPage } from '../../things/secret_once.ts'
import { adminPlace } from '../place.ts'
import { administered, inAdministration } from '../scope.ts'
import { placedJobs } from './placed_jobs.ts'

const LIST = '/admin/runners'

const inOne = administered(inManagedRunner)

const types = Object.keys(runnerTypes) as [RunnerRow['runner_type'], ...RunnerRow['runner_type'][]]

export const showRunners = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show all runners of the instance',
  scope: inAdministration,
  can: listAllRunners.can as 'admin_instance',
  params: {
    ...listParams,
    type: optional(OneOf(['', ...types], { description: 'Whom they serve' })),
    status: optional(OneOf(['', ...runnerFilterStatuses], { description: 'Their state' })),
    tags: optional(text('They have all of these tags, with commas between', { maxLength: 1_024 })),
  },
  async run(ctx) {
    const { type, status, tags } = given(ctx.params)
    const filters = {
      type,
      status,
      tag_list: tags
        ?.split(',')
        .map(tag => tag.trim())
        .filter(tag => tag !== ''),
    } as RunnerFilters
    const found = await listPage(ctx, allRunners(ctx.db, filters, ctx.now), ctx.params)
    const isFiltered = type !== undefined || status !== undefined || tags !== undefined
    const says = isFiltered ? 'No runner is like this.' : 'A runner runs the jobs of pipelines. The line below makes one of any machine.'
    return page(ctx, {
      title: 'Runners',
      place: adminPlace('runners', ctx),
      body: html`${filterBar(LIST, [
        { name: 'type', label: 'Serves', value: type, choices: types.map(value => [value, runnerTypes[value]] as const), any: 'All' },
        { name: 'status', label: 'State', value: status, choices: runnerStates, any: 'All' },
        { name: 'tags', label: 'Tags', value: tags },
      ])}
${found.rows.length > 0 ? html`<ul class="list" data-list>${found.rows.map(runner => runnerItem({ ctx, base: LIST }, runner, runnerButtons({ ctx, base: LIST }, runner)))}</ul>` : empty({ icon: 'server', title: 'No runners', says })}${found.links}
${registrationView({ ctx, base: LIST, url: ctx.url, token: (await instanceRunnersToken(ctx)).reveal(), serves: 'the instance' })}`,
    })
  },
})

export const showRunner = pageEndpoint({
  route: `GET ${LIST}/:id`,
  summary: 'Show a runner, whom it serves and what it ran',
  scope: inOne,
  can: 'use_instance',
  params: { ...listParams, status: optional(OneOf(['', ...listedStatuses], { description: 'Only jobs with this status' })) },
  async run(ctx) {
    const { runner } = ctx
    const { status } = given(ctx.params)
    const found = await listPage(
      ctx,
      jobsOfRunner(ctx.db, ctx.actor, runner.id, { status: status as (typeof listedStatuses)[number] }),
      ctx.params,
    )
    const [inFull] = await presentAll(RunnerInFull, ctx, [runner])
    const places = [
      ...(inFull?.groups ?? []).map(({ name, web_url }) => ({ name, href: web_url })),
      ...(inFull?.projects ?? []).map(({ name_with_namespace, path_with_namespace }) => ({
        name: name_with_namespace,
        href: `/${path_with_namespace}`,
      })),
    ]
    return page(ctx, {
      title: runnerName(runner),
      place: adminPlace('runners', ctx),
      heading: 'own',
      body: html`<div class="heading"><h1>${runnerName(runner)}</h1><div class="row">${runnerButtons({ ctx, base: LIST }, runner)}${actionButton(ctx, { to: `${LIST}/${runner.id}/reset_token`, face: 'Replace its token', whole: true, asks: 'Replace the token? The one that it has ends with that.' })}</div></div>
${runnerFacts(runner)}
${places.length > 0 && html`<section class="section"><h2>Whom it serves</h2><ul class="plain-list">${places.map(({ name, href }) => html`<li><a href="${href}">${name}</a></li>`)}</ul></section>`}
<section class="section"><h2>Jobs</h2>${filterBar(`${LIST}/${runner.id}`, [{ name: 'status', label: 'Status', value: status, choices: choicesOf(listedStatuses), any: 'All' }])}
${found.rows.length > 0 ? html`${await placedJobs(ctx, found.rows as readonly JobRow[])}${found.links}` : html`<p class="muted">No jobs.</p>`}</section>`,
    })
  },
})

const edit = form({
  path: `${LIST}/:id/edit`,
  summary: 'Change a runner',
  scope: inOne,
  of: updateRunner,
  fields: () => runnerFields,
  values: ({ runner }) => runnerValues(runner),
  next: ({ runner }) => `${LIST}/${runner.id}`,
  notice: 'The runner was changed.',
  button: 'Save',
  cancel: ({ runner }) => `${LIST}/${runner.id}`,
  frame: ctx => ({ title: `Edit ${runnerName(ctx.runner)}`, place: adminPlace('runners', ctx) }),
})
export const showEditRunner = edit.show
export const submitEditRunner = edit.submit

/** Pauses a runner, or lets it take jobs again. */
export const changeRunner = action({
  route: `POST ${LIST}/:id/change`,
  of: updateRunner,
  scope: inOne,
  next: ({ runner }) => `${LIST}/${runner.id}`,
  notice: 'The runner was changed.',
})

export const deleteRunner = action({
  route: `POST ${LIST}/:id/delete`,
  of: removeRunner,
  scope: inOne,
  next: () => LIST,
  notice: 'The runner was deleted.',
})

export const replaceToken = action({
  route: `POST ${LIST}/:id/reset_token`,
  of: resetRunnerToken,
  scope: inOne,
  next: ({ runner }) => `${LIST}/${runner.id}`,
  notice: 'The runner has another token.',
  answered: (ctx, { token }) =>
    secretPage(
      ctx,
      { name: runnerName(ctx.runner), token },
      {
        title: `Token of ${runnerName(ctx.runner)}`,
        place: adminPlace('runners', ctx),
        back: [`${LIST}/${ctx.runner.id}`, 'Back to the runner'],
      },
    ),
  confirms: true,
})

export const replaceRegistrationToken = action({
  route: `POST ${LIST}/reset_registration_token`,
  of: resetInstanceToken,
  scope: inAdministration,
  next: () => LIST,
  notice: 'Runners register with another token from now on.',
  confirms: true,
})
