/** Iterations of groups, which their projects see too: the lists, the page of one, and its forms. */

import { listGroupIssues } from '../../planning/issues/lists/endpoints.ts'
import {
  createIteration,
  deleteIteration,
  listGroupIterations,
  listProjectIterations,
  updateIteration,
} from '../../planning/iterations/endpoints.ts'
import { iterationProgress } from '../../planning/iterations/progress.ts'
import type { IterationRow } from '../../planning/iterations/queries.ts'
import { noProgress } from '../../planning/shared/progress.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import type { InPlanningPlace } from '../../spaces/places/places.ts'
import { typed } from '../items/comment_fields.ts'
import { renderTexts } from '../items/texts.ts'
import {
  eitherPath,
  eitherPlace,
  type GroupWithRole,
  type InEither,
  inPlanningGroupPage,
  inPlanningProjectPage,
  mayHere,
} from '../places/planning.ts'
import { type IssuesByState, iterationsView, iterationView, type ShownIteration } from './iterations_view.ts'
import { ITERATION, inIterationPage } from './scope.ts'

/** Issues in each state that the page of an iteration shows; the list has all of them. */
const MOST = 50

interface Kind {
  readonly noun: 'project' | 'group'
  readonly route: '/:project_path' | '/groups/:group_path'
  readonly scope: Scope<InPlanningPlace>
  readonly can: Ability
  readonly api: Endpoint
}

const listOf = ({ noun, route, scope, can, api }: Kind): Endpoint =>
  pageEndpoint({
    route: `GET ${route}/-/iterations`,
    summary: `Show the iterations of a ${noun}`,
    tier: 'premium',
    scope: scope as never,
    can: can as never,
    params: {
      ...listParams,
      state: OneOf(['opened', 'upcoming', 'current', 'closed', 'all'], { description: 'Only those in this state', default: 'opened' }),
      search: optional(text('Words in the title', { maxLength: 255 })),
    },
    async run(input) {
      const ctx = input as unknown as Context & InEither & InPlanningPlace & { params: { state: string; search?: string } }
      const found = await answerOf(ctx, api, ctx.params)
      const rows = found.rows as readonly ShownIteration[]
      const progress = await iterationProgress(
        ctx.db,
        ctx.actor,
        rows.map(({ id }) => id),
      )
      return page(ctx, {
        title: 'Iterations',
        place: eitherPlace(ctx.actor, ctx, 'iterations'),
        heading: 'own',
        body: iterationsView({
          base: eitherPath(ctx),
          state: ctx.params.state,
          search: ctx.params.search ?? '',
          mayCreate: ctx.group !== undefined && mayHere(ctx, 'admin_iteration'),
          madeAt:
            ctx.project?.namespace_kind === 'group'
              ? groupPath({ full_path: ctx.project.namespace_full_path }, '/-/iterations')
              : undefined,
          rows,
          links: found.links,
          progressOf: id => progress.get(id) ?? noProgress,
        }),
      })
    },
  })

export const listInGroup = listOf({
  noun: 'group',
  route: '/groups/:group_path',
  scope: inPlanningGroupPage,
  can: 'read_iteration',
  api: listGroupIterations,
})

export const listInProject = listOf({
  noun: 'project',
  route: '/:project_path',
  scope: inPlanningProjectPage,
  can: 'read_project_iteration',
  api: listProjectIterations,
})

export const showIteration = pageEndpoint({
  route: `GET ${ITERATION}`,
  summary: 'Show an iteration',
  tier: 'premium',
  scope: inIterationPage,
  can: 'read_iteration',
  async run(ctx) {
    const { db, actor, group, iteration } = ctx
    const issuesIn = (state: 'opened' | 'closed') =>
      answerOf(ctx, listGroupIssues, { iteration_id: iteration.id, state, with_labels_details: true, per_page: MOST })
    const [progress, [description], open, closed] = await Promise.all([
      iterationProgress(db, actor, [iteration.id]),
      renderTexts(ctx, { group }, [iteration.description ?? '']),
      issuesIn('opened'),
      issuesIn('closed'),
    ])
    const issues: IssuesByState = { open: open.rows, closed: closed.rows }
    return page(ctx, {
      title: iteration.title,
      place: eitherPlace(actor, ctx, 'iterations'),
      heading: 'own',
      scripts: ['lists.js'],
      body: iterationView(ctx, {
        base: groupPath(group),
        iteration,
        today: ctx.now.toISOString().slice(0, 10),
        description: iteration.description ? description : undefined,
        mayManage: mayHere(ctx, 'admin_iteration'),
        progress: progress.get(iteration.id) ?? noProgress,
        issues,
      }),
    })
  },
})

interface InIteration {
  readonly group: GroupWithRole
  readonly iteration: IterationRow
}

const fields = ({ group }: { readonly group: GroupWithRole }) =>
  [
    { name: 'title', required: true, autofocus: true, hint: '' },
    { name: 'start_date', required: true, hint: '' },
    { name: 'due_date', label: 'Last day', required: true, hint: 'Iterations of a group do not share a day.' },
    { name: 'description', control: 'markdown', base: groupPath(group, '/-'), withoutFiles: true, hint: '' },
  ] as const

const pagePath = ({ group, iteration }: { readonly group: GroupWithRole; readonly iteration: { readonly id: number } }): string =>
  groupPath(group, `/-/iterations/${iteration.id}`)

const instead = {
  of: ['description'],
  params: { description: text('Description', { maxLength: 1_048_576, default: '' }) },
  adapt: async (_ctx: unknown, { description, ...params }: Readonly<Record<string, unknown>>) => ({
    ...params,
    description: typed(description) || null,
  }),
}

const creation = form<{ readonly group: GroupWithRole }>({
  path: '/groups/:group_path/-/iterations/new',
  summary: 'Create an iteration of a group',
  scope: inGroupPage,
  of: createIteration,
  instead,
  fields,
  next: ({ group }, iteration: { readonly id: number }) => pagePath({ group, iteration }),
  cancel: ({ group }) => groupPath(group, '/-/iterations'),
  notice: 'The iteration was created.',
  button: 'Create iteration',
  frame: ctx => ({ title: 'New iteration', place: eitherPlace(ctx.actor, ctx, 'iterations'), scripts: ['markdown_editor.js'] }),
})

const change = form<InIteration>({
  path: `${ITERATION}/edit`,
  summary: 'Change an iteration of a group',
  scope: inIterationPage,
  of: updateIteration,
  instead,
  fields,
  values: ({ iteration: { title, start_date, due_date, description } }) => ({ title, start_date, due_date, description }),
  next: pagePath,
  cancel: pagePath,
  notice: 'The iteration was changed.',
  button: 'Save',
  frame: ctx => ({
    title: `Edit: ${ctx.iteration.title}`,
    place: eitherPlace(ctx.actor, ctx, 'iterations'),
    scripts: ['markdown_editor.js'],
  }),
})

export const showNewIteration = creation.show
export const submitNewIteration = creation.submit
export const showEditIteration = change.show
export const submitEditIteration = change.submit

export const removeIteration = action<InIteration>({
  route: `POST ${ITERATION}/delete`,
  of: deleteIteration,
  scope: inIterationPage,
  next: ({ group }) => groupPath(group, '/-/iterations'),
  notice: 'The iteration was deleted.',
})
