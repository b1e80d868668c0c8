/** The pages of environments: the list with its folders, and of each what is and was deployed there. */
import { deploymentsTo, lastDeploymentsOf, waitingDeploymentsTo } from '../../delivery/deployments/queries.ts'
import {
  type EnvironmentState,
  environmentCountsOf,
  environmentGroupsOf,
  environmentsInFolder,
  environmentsOf,
} from '../../delivery/environments/queries.ts'
import { folderOf } from '../../delivery/environments/slugs.ts'
import { stopJobOf } from '../../delivery/job_deployments/stop.ts'
import { ProtectedEnvironment } from '../../delivery/protected_environments/entity.ts'
import { mayDeploy, protectionsOn } from '../../delivery/protected_environments/rights.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import { countRows, type PageRequest } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { OneOf, optional, text, tierCovers } from '../../platform/kernel/declaration/types.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page, redirect } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { freezeNotice } from '../freeze_periods/notice.ts'
import { listedById, listedEnvironments, runnableJobs, shownDeployments } from './deployed.ts'
import { type EnvironmentView, environmentBody, environmentHead, environmentNotices } from './environment_view.ts'
import { type EnvironmentsView, environmentsHead, environmentsList } from './list_view.ts'
import { environmentsTopicOf } from './live.ts'
import { ENVIRONMENT, environmentPath, inDeploymentJobPage, inEnvironmentPage } from './scope.ts'

const states = OneOf(['available', 'stopped'], { description: 'Those of this state', default: 'available' })

type Caller = Context & { readonly project: ProjectWithRole; readonly params: PageRequest & { readonly states: EnvironmentState } }

const may = ({ actor, project }: Pick<Caller, 'actor' | 'project'>, ability: Ability): boolean =>
  allows(actor, ability, projectSubject(project)) === 'yes'

/** What is listed: folders and environments, or the environments alone that have these letters or stand in a folder. */
async function contentsOf(
  ctx: Caller,
  { search, folder }: { readonly search: string; readonly folder: string | undefined },
): Promise<Pick<EnvironmentsView, 'rows' | 'listed' | 'links'>> {
  const { db, project, params } = ctx
  if (search === '' && folder === undefined) {
    const { rows, links } = await listPage(ctx, environmentGroupsOf(db, project.id, params.states), params)
    const ids = rows.flatMap(({ folder, id }) => (folder === null ? [id] : []))
    return { rows, links, listed: await listedById(ctx, project, ids) }
  }
  const query =
    folder === undefined
      ? environmentsOf(db, project.id, { search, states: params.states })
      : environmentsInFolder(db, project.id, folder, params.states)
  const { rows, links } = await listPage(ctx, query, params)
  return { rows: rows.map(({ id }) => id), links, listed: await listedEnvironments(ctx, project, rows) }
}

async function listing(ctx: Caller, { search = '', folder }: { readonly search?: string | undefined; readonly folder?: string }) {
  const { db, project, params, request, actor } = ctx
  const topic = environmentsTopicOf(project)
  const view: EnvironmentsView = {
    project,
    address: request.address,
    state: params.states,
    counts: await environmentCountsOf(db, project.id),
    search,
    folder,
    mayManage: may(ctx, 'admin_environment'),
    ...(await contentsOf(ctx, { search, folder })),
  }
  return page(ctx, {
    title: folder === undefined ? 'Environments' : `${folder}: environments`,
    place: projectPlace(actor, project, 'environments'),
    heading: 'own',
    live: [topic],
    body: html`${environmentsHead(view)}${await freezeNotice(ctx, project)}${livePart('environments', topic, environmentsList(view))}`,
  })
}

export const showEnvironments = pageEndpoint({
  route: 'GET /:project_path/-/environments',
  summary: 'Show the environments of a project',
  scope: inProjectPage,
  can: 'read_environment',
  params: { ...listParams, states, search: optional(text('Part of the name', { maxLength: 255 })) },
  run: ctx => listing(ctx, { search: ctx.params.search }),
})

export const showFolder = pageEndpoint({
  route: 'GET /:project_path/-/environments/folders/:folder',
  summary: 'Show the environments of a project whose names begin alike',
  scope: inProjectPage,
  can: 'read_environment',
  params: { ...listParams, states, folder: text('What the names have before the first `/`', { maxLength: 255, examples: ['review'] }) },
  run: ctx => listing(ctx, { folder: ctx.params.folder }),
})

/** Newer deployments that are counted to find the page of one. */
const MOST_NEWER = 10_000

/** Deployments on a page. */
const PER_PAGE = 20

/** Deployments that wait, and are shown. */
const MOST_WAITING = 5

export const showEnvironment = pageEndpoint({
  route: `GET ${ENVIRONMENT}`,
  summary: 'Show an environment with its deployments',
  scope: inEnvironmentPage,
  can: 'read_environment',
  params: listParams,
  async run(ctx) {
    const { db, project, environment, params, actor } = ctx
    const last = (await lastDeploymentsOf(db, [environment.id])).get(environment.id)
    const found = await listPage(ctx, deploymentsTo(db, environment.id), params)
    const waiting =
      params.page === 1
        ? await waitingDeploymentsTo(db, environment.id, last?.id ?? 0)
            .limit(MOST_WAITING)
            .execute()
        : []
    const shown = await shownDeployments(ctx, project, [...waiting, ...found.rows])
    const { own, above } = await protectionsOn(ctx, project, environment)
    const protections = await presentAll(ProtectedEnvironment, ctx, [...own, ...above])
    const topic = environmentsTopicOf(project)
    const view: EnvironmentView = {
      ctx,
      project,
      environment,
      folder: folderOf(environment.name),
      deployers:
        protections.length === 0
          ? undefined
          : [...new Set(protections.flatMap(({ deploy_access_levels: levels }) => levels.map(level => level.access_level_description)))],
      mayDeploy: await mayDeploy(ctx, project, environment),
      protectionsAt:
        tierCovers(ctx.tier, 'premium') && may(ctx, 'admin_protected_environments')
          ? projectPath(project, '/-/settings/protected_environments')
          : undefined,
      mayManage: may(ctx, 'admin_environment'),
      mayRun: may(ctx, 'update_job'),
      runnable: await runnableJobs(ctx, project, shown),
      stopJob: environment.state === 'available' ? await stopJobOf(db, environment) : undefined,
      waiting: shown.slice(0, waiting.length),
      deployments: shown.slice(waiting.length),
      current: last?.id,
      links: found.links,
    }
    return page(ctx, {
      title: environment.name,
      place: projectPlace(actor, project, 'environments'),
      heading: 'own',
      live: [topic],
      body: html`${livePart('environment-head', topic, html`${environmentHead(view)}${await freezeNotice(ctx, project)}${environmentNotices(view)}`)}${livePart('deployments', topic, environmentBody(view))}`,
    })
  },
})

export const showDeployment = pageEndpoint({
  route: `GET ${ENVIRONMENT}/deployments/:deployment_id`,
  summary: 'Show a deployment among those to its environment',
  scope: inDeploymentJobPage,
  can: 'read_environment',
  async run({ db, project, environment, deployment }) {
    const newer = await countRows(db, deploymentsTo(db, environment.id).where('deployments.id', '>', deployment.id), MOST_NEWER)
    const at = Math.floor(newer / PER_PAGE) + 1
    return redirect(`${environmentPath(project, environment, at === 1 ? '' : `?page=${at}`)}#deployment-${deployment.iid}`)
  },
})
