/** The pages of the runners of projects and groups: the list with how one is registered, and of each its facts, jobs and form. */
import { sql } from 'kysely'
import { jobsOfRunner } from '../../ci/runner_jobs/lists.ts'
import {
  disableProjectRunner,
  enableProjectRunner,
  listGroupRunners,
  listProjectRunners,
  removeRunner,
  updateRunner,
} from '../../ci/runners/endpoints.ts'
import { RunnerInFull } from '../../ci/runners/entity.ts'
import { managedRunners } from '../../ci/runners/queries.ts'
import { idsOf } from '../../identity/users/queries.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { PageRequest } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { readAs } from '../../platform/pages/answers.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { updateProject } from '../../spaces/projects/endpoints.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { runnersTokensOf } from '../../spaces/runners_tokens/commands.ts'
import { resetGroupToken, resetProjectToken } from '../../spaces/runners_tokens/endpoints.ts'
import { settingsPlaceOf } from '../place_settings/place.ts'
import { type InEither, mayHere } from '../places/planning.ts'
import { runnersView } from './list_view.ts'
import {
  registrationView,
  runnerButtons,
  runnerChip,
  runnerFacts,
  runnerFields,
  runnerJobs,
  runnerName,
  runnerTypes,
  runnerValues,
} from './runner_view.ts'
import { type InRunnerPage, ofGroup, ofProject, type RunnersKind, runnersHere, runnersPath } from './scope.ts'

type InPlace = Context & InEither
type InList = InPlace & { readonly params: PageRequest }

/** Runners of other projects that are offered. */
const MOST_OTHERS = 20

/** The token that registers runners for the place. */
async function registrationToken(ctx: InPlace): Promise<string> {
  const [holder, id] = ctx.project ? (['project_id', ctx.project.id] as const) : (['namespace_id', ctx.group?.id as number] as const)
  return (await runnersTokensOf(ctx, holder, [id])).get(id)?.reveal() ?? ''
}

/** Runners of other projects that the caller manages, and the project may have too. */
const othersFor = ({ db, actor, now, project }: InPlace) =>
  project === undefined
    ? []
    : managedRunners(db, actor, { type: 'project_type' }, now)
        .where('runners.locked', '=', false)
        .where(
          sql<boolean>`not exists (select from runner_projects own where own.runner_id = runners.id and own.project_id = ${project.id})`,
        )
        .limit(MOST_OTHERS)
        .execute()

function runnerPages(kind: RunnersKind) {
  const { noun, base, scope, inOne, inManaged, manage } = kind
  const place = (ctx: InPlace) => settingsPlaceOf(ctx, 'runners')
  const list = noun === 'project' ? listProjectRunners : listGroupRunners

  const show = pageEndpoint({
    route: `GET ${base}`,
    summary: `Show the runners of a ${noun}`,
    scope,
    can: manage as never,
    params: listParams,
    async run(input) {
      const ctx = input as unknown as InList
      const { project, request, params, url } = ctx
      // The parameters of the API; fields of the form that were left empty are none.
      const sent = Object.fromEntries([...new URLSearchParams(request.address.split('?', 2)[1] ?? '')].filter(([, value]) => value !== ''))
      const found = await listPage(ctx, runnersHere(ctx, readAs(ctx, list, sent) as Parameters<typeof runnersHere>[1]), params)
      const here = { ctx, base: runnersPath(ctx) }
      return page(ctx, {
        title: 'Runners',
        place: place(ctx),
        heading: 'own',
        body: runnersView({
          ...here,
          address: request.address,
          noun,
          sent,
          ...found,
          registration: registrationView({ ...here, url, token: await registrationToken(ctx), serves: `jobs of this ${noun}` }),
          shared: project && mayHere(ctx, 'admin_project') ? project.shared_runners_enabled : undefined,
          sharedText: project ? (await applicationSettings(ctx.db)).shared_runners_text : null,
          others: await othersFor(ctx),
        }),
      })
    },
  })

  const showOne = pageEndpoint({
    route: `GET ${base}/:runner_id`,
    summary: `Show a runner of a ${noun} with its jobs`,
    scope: inOne,
    can: manage as never,
    params: listParams,
    async run(input) {
      const ctx = input as unknown as InList & InRunnerPage
      const { db, actor, now, runner, params, project } = ctx
      const here = { ctx, base: runnersPath(ctx) }
      const found = await listPage(ctx, jobsOfRunner(db, actor, runner.id, {}), params)
      const [shown] = await presentAll(RunnerInFull, ctx, [runner])
      const projects = shown?.projects ?? []
      const mayDisable = projects.length > 1 && projects.some(({ id }) => id === project?.id)
      return page(ctx, {
        title: runnerName(runner),
        place: place(ctx),
        heading: 'own',
        body: html`<div class="heading"><h1>${runnerName(runner)} <span class="muted light">#${runner.id}</span></h1><div class="row">${runner.managed && runnerButtons(here, runner)}${mayDisable && actionButton(ctx, { to: `${here.base}/${runner.id}/disable`, face: 'Take from the project', asks: 'Take the runner from this project? Others keep it.' })}</div></div>
<div class="row facts item-facts">${runnerChip(runner, now)}${chip(runnerTypes[runner.runner_type])}</div>
<div class="columns item"><div><section class="section"><h2>Jobs</h2>${found.rows.length > 0 ? html`${runnerJobs(ctx, found.rows, await projectsById(db, idsOf(found.rows, 'project_id')))}${found.links}` : empty({ icon: 'checklist', title: 'No jobs', says: 'It has taken none that you may see.' })}</section></div><aside aria-label="About the runner">${runnerFacts(runner)}${projects.length > 0 && html`<section class="section"><h2>Projects</h2><ul class="plain-list">${projects.map(({ path_with_namespace: path, name_with_namespace: name }) => html`<li><a href="/${path}">${name}</a></li>`)}</ul></section>`}</aside></div>`,
      })
    },
  })

  const edit = form<InRunnerPage>({
    path: `${base}/:runner_id/edit`,
    summary: `Change a runner of a ${noun}`,
    scope: inManaged,
    of: updateRunner,
    fields: () => runnerFields,
    values: ({ runner }) => runnerValues(runner),
    next: ctx => runnersPath(ctx, `/${ctx.runner.id}`),
    cancel: ctx => runnersPath(ctx, `/${ctx.runner.id}`),
    notice: 'The runner was changed.',
    button: 'Save',
    frame: ctx => ({ title: `Edit: ${runnerName(ctx.runner)}`, place: place(ctx) }),
  })

  const back = (ctx: InEither) => runnersPath(ctx)
  return {
    show,
    showOne,
    showEdit: edit.show,
    edit: edit.submit,
    change: action<InRunnerPage>({
      route: `POST ${base}/:runner_id/change`,
      of: updateRunner,
      scope: inManaged,
      next: back,
      notice: 'The runner was changed.',
    }),
    remove: action<InRunnerPage>({
      route: `POST ${base}/:runner_id/delete`,
      of: removeRunner,
      scope: inManaged,
      next: back,
      notice: 'The runner was removed.',
    }),
    resetToken: action<InEither>({
      route: `POST ${base}/reset_registration_token`,
      of: noun === 'project' ? resetProjectToken : resetGroupToken,
      scope,
      confirms: true,
      next: back,
      notice: 'The registration token was replaced.',
    }),
  }
}

export const projectRunnerPages = {
  ...runnerPages(ofProject),
  enable: action<InEither>({
    route: `POST ${ofProject.base}/enable`,
    of: enableProjectRunner,
    scope: ofProject.scope,
    next: ctx => runnersPath(ctx),
    notice: 'The runner takes jobs of the project too.',
  }),
  disable: action<InRunnerPage>({
    route: `POST ${ofProject.base}/:runner_id/disable`,
    of: disableProjectRunner,
    scope: ofProject.inOne,
    next: ctx => runnersPath(ctx),
    notice: 'The runner takes no jobs of the project any more.',
  }),
  toggleShared: action<InEither>({
    route: `POST ${ofProject.base}/toggle_shared_runners`,
    of: updateProject,
    scope: ofProject.scope,
    next: ctx => runnersPath(ctx),
    notice: 'Whether runners of the instance take jobs of the project was changed.',
  }),
}

export const groupRunnerPages = runnerPages(ofGroup)
