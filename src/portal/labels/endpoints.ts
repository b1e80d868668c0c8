/** The labels of projects and groups: the list with what has each, and the forms of a label. The same pages for both. */
import { groupLabels, projectLabels, promoteLabel } from '../../planning/labels/endpoints.ts'
import { movePriority, prioritizedLabels, priorityMoves } from '../../planning/labels/priorities.ts'
import type { LabelRow } from '../../planning/labels/queries.ts'
import { inLabel } from '../../planning/labels/scope.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { groupsById, visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import type { InPlanningPlace } from '../../spaces/places/places.ts'
import { eitherPath, eitherPlace, type InEither, inPlanningGroupPage, inPlanningProjectPage, mayHere } from '../places/planning.ts'
import { colorFields, colorParams, colorValues, labelColor } from './colors.ts'
import { type LabelFrame, labelsView } from './labels_view.ts'

type InPlace = InEither & InPlanningPlace
type InOneLabel = InPlace & { readonly label: LabelRow }

/** Labels in their order of priority that are shown. */
const MOST_PRIORITIZED = 100

interface Kind {
  readonly noun: 'project' | 'group'
  /** The path of the place in routes. */
  readonly route: '/:project_path' | '/groups/:group_path'
  readonly scope: Scope<InPlanningPlace>
  readonly api: readonly Endpoint[]
  readonly read: Ability
  readonly manage: Ability
  readonly subscribe: Ability
}

const isOwn = (place: InPlanningPlace['place'], { project_id, namespace_id }: Pick<LabelRow, 'project_id' | 'namespace_id'>): boolean =>
  (place.noun === 'project' ? project_id : namespace_id) === place.id

/** May the caller make labels of the project labels of its group? */
async function mayPromote({ db, actor, project }: Context & InEither): Promise<boolean> {
  if (project?.namespace_kind !== 'group') return false
  const group = await visibleGroup(db, actor, String(project.namespace_id))
  return group !== undefined && allows(actor, 'admin_group_label', groupSubject(group)) === 'yes'
}

function labelPages({ noun, route, scope, api, read, manage, subscribe }: Kind) {
  const base = `${route}/-/labels` as const
  const inPlace = scope as unknown as Scope<InPlace>
  const inOne = inLabel(scope) as unknown as Scope<InOneLabel>
  // What can be changed here is the place's own; an inherited label has its page in its group.
  const inOwn: Scope<InOneLabel> = {
    ...inOne,
    async load(ctx, path) {
      const found = await inOne.load(ctx, path)
      if (!isOwn(found.place, found.label)) throw notFound('Label')
      return found
    },
  }
  const list = declarationOf(api, 'GET', /\/labels$/)
  const back = (ctx: InEither): string => eitherPath(ctx, '/-/labels')
  const frame = (title: string) => (ctx: Context & InPlace) => ({ title, place: eitherPlace(ctx.actor, ctx, 'labels') })
  const priority = noun === 'project' ? [{ name: 'priority', hint: '0 is the most urgent; none when empty.' } as const] : []

  const show = pageEndpoint({
    route: `GET ${base}`,
    summary: `Show the labels of a ${noun}`,
    scope: inPlace as never,
    can: read as never,
    params: { ...listParams, search: optional(text('Part of the name or description', { maxLength: 255 })) },
    async run(input) {
      const ctx = input as unknown as Context & InPlace & { params: { search?: string; page: number; per_page: number } }
      const { db, actor, place, params } = ctx
      const isWhole = noun === 'project' && !params.search && params.page === 1
      const [found, prioritized, mayBePromoted] = await Promise.all([
        answerOf(ctx, list, { ...params, with_counts: true }),
        isWhole ? prioritizedLabels(db, actor, place).limit(MOST_PRIORITIZED).execute() : [],
        mayHere(ctx, manage) ? mayPromote(ctx) : false,
      ])
      const owners = await ownersOf(ctx, found.rows)
      const view: LabelFrame = {
        ctx,
        base: eitherPath(ctx),
        noun,
        mayManage: mayHere(ctx, manage),
        maySubscribe: mayHere(ctx, subscribe),
        mayPromote: mayBePromoted,
        search: params.search ?? '',
        ownerOf: id => owners.get(id),
      }
      return page(ctx, {
        title: 'Labels',
        place: eitherPlace(actor, ctx, 'labels'),
        heading: 'own',
        body: labelsView(view, found, prioritized),
      })
    },
  })

  /** The groups that the inherited ones among the labels belong to, by the id of the label. */
  async function ownersOf({ db, place }: Context & InPlace, labels: readonly { readonly id: number }[]) {
    const rows = await db
      .selectFrom('labels')
      .select(['id', 'namespace_id'])
      .where('id', 'in', labels.map(({ id }) => id).concat(0))
      .where('namespace_id', 'is not', null)
      .where('namespace_id', '<>', place.noun === 'group' ? place.id : 0)
      .execute()
    const groups = await groupsById(db, [...new Set(rows.map(({ namespace_id }) => namespace_id as number))])
    return new Map(rows.map(({ id, namespace_id }) => [id, groups.get(namespace_id as number)]))
  }

  const create = form<InPlace>({
    path: `${base}/new`,
    summary: `Create a label of a ${noun}`,
    scope: inPlace,
    of: declarationOf(api, 'POST', /\/labels$/),
    instead: { of: ['color'], params: colorParams, adapt: async (_ctx, params) => labelColor(params) },
    fields: () => [
      { name: 'name', autofocus: true, hint: 'A name such as `urgency::high` is exclusive among those that begin so.' },
      ...colorFields,
      { name: 'description', control: 'textarea', hint: '' },
      ...priority,
    ],
    values: () => colorValues('#0969da'),
    next: back,
    cancel: back,
    notice: 'The label was created.',
    button: 'Create label',
    frame: frame('New label'),
  })

  const edit = form<InOneLabel>({
    path: `${base}/:label_id/edit`,
    summary: `Change a label of a ${noun}`,
    scope: inOwn,
    of: declarationOf(api, 'PUT', /:label_id$/),
    instead: { of: ['color'], params: colorParams, adapt: async (_ctx, params) => labelColor(params) },
    fields: () => [
      { name: 'new_name', label: 'Name', required: true, hint: '' },
      ...colorFields,
      { name: 'description', control: 'textarea', hint: '' },
      ...priority,
    ],
    values: ({ label }) => ({
      ...colorValues(label.color),
      new_name: label.name,
      description: label.description,
      priority: label.priority,
    }),
    next: back,
    cancel: back,
    notice: 'The label was changed.',
    button: 'Save',
    frame: ctx => frame(`Edit: ${ctx.label.name}`)(ctx),
  })

  const button = (word: string, of: Endpoint, within: Scope<InOneLabel>, notice: string) =>
    action<InOneLabel>({ route: `POST ${base}/:label_id/${word}`, of, scope: within, next: back, notice })

  const shared = {
    show,
    showNew: create.show,
    create: create.submit,
    showEdit: edit.show,
    edit: edit.submit,
    remove: button('delete', declarationOf(api, 'DELETE', /:label_id$/), inOwn, 'The label was deleted.'),
    subscribe: button('subscribe', declarationOf(api, 'POST', /\/subscribe$/), inOne, 'You are notified of what gets the label.'),
    unsubscribe: button('unsubscribe', declarationOf(api, 'POST', /\/unsubscribe$/), inOne, 'You are not notified any more.'),
  }
  if (noun === 'group') return shared
  return {
    ...shared,
    promote: button('promote', promoteLabel, inOwn, 'The label is one of the group now.'),
    prioritize: formEndpoint({
      route: `POST ${base}/:label_id/priority`,
      summary: 'Move a label in the order of priority of a project',
      scope: inOne as never,
      can: manage as never,
      params: { move: OneOf(priorityMoves, { description: 'Where to', examples: ['last'] }) },
      async run(input) {
        const ctx = input as unknown as Context & InOneLabel & { params: { move: (typeof priorityMoves)[number] } }
        await movePriority(ctx.db, ctx.actor, ctx.place, ctx.label.id, ctx.params.move)
        return done(ctx, back(ctx), 'The order of priority was changed.')
      },
    }),
  }
}

export const projectLabelPages = labelPages({
  noun: 'project',
  route: '/:project_path',
  scope: inPlanningProjectPage,
  api: projectLabels,
  read: 'read_label',
  manage: 'admin_label',
  subscribe: 'subscribe_label',
})

export const groupLabelPages = labelPages({
  noun: 'group',
  route: '/groups/:group_path',
  scope: inPlanningGroupPage,
  api: groupLabels,
  read: 'read_group_label',
  manage: 'admin_group_label',
  subscribe: 'subscribe_group_label',
})
