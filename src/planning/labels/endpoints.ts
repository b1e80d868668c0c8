/** Labels of projects and groups (labels and group labels API at 14.0): the same declarations for both. */
import Type, { type TProperties } from 'typebox'
import type { Ability } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf, type Shown } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import { atLeastOne } from '../../platform/kernel/request/params.ts'
import { inPlanningGroup, inPlanningProject, type PlaceScope } from '../../spaces/places/places.ts'
import { changeSubscription, createLabel, removeLabel, updateLabel } from './commands.ts'
import { GroupLabel, ProjectLabel } from './entity.ts'
import * as promotion from './promote.ts'
import { type LabelReach, type LabelRow, labelsMatching } from './queries.ts'
import { findLabel, inLabel } from './scope.ts'

interface Kind {
  readonly noun: 'group' | 'project'
  readonly scope: PlaceScope
  readonly entity: Shown<LabelRow>
  readonly read: Ability
  readonly manage: Ability
  readonly subscribe: Ability
  /** Parameters of the reads: the `LabelReach` parameters of this kind. */
  readonly reach: TProperties
}

const optionalFlag = (description: string) => optional(flag(description))
const ancestors = { include_ancestor_groups: optionalFlag('Labels of the groups above too; default true') }

/** Commas separate names in lists and cannot be part of a name. */
const Name = (description: string) => text(description, { maxLength: 255, pattern: '^(?!\\s*$)[^,]+$', examples: ['Bug'] })
const Color = text('`#rgb`, `#rrggbb` or a colour name of CSS', { examples: ['#FFAABB'] })
const description = optional(Nullable(text('Description', { maxLength: 2_000 })))
const priority = Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), { description: '0 is the most urgent' }))

const changes = { new_name: Type.Optional(Name('The new name')), color: Type.Optional(Color), description, priority }
const someChange = atLeastOne('new_name', 'color', 'description', 'priority')

function labelEndpoints({ noun, scope, entity, read, manage, subscribe, reach }: Kind) {
  const path = `/${noun}s/:id/labels` as const
  const inOne = inLabel(scope)

  const list = endpoint({
    route: `GET ${path}`,
    summary: `List the labels of a ${noun}`,
    scope,
    can: read,
    params: {
      ...reach,
      with_counts: optionalFlag('How many issues have each label'),
      search: optional(text('Part of the name or description', { maxLength: 255 })),
    },
    answers: pageOf(entity),
    run: ({ db, actor, place, params }) => labelsMatching(db, actor, place, params),
  })
  const get = endpoint({
    route: `GET ${path}/:label_id`,
    summary: `Get a label of a ${noun}`,
    scope,
    can: read,
    params: { label_id: text('ID or URL-encoded name of a label', { examples: ['urgency:1'] }), ...reach },
    answers: one(entity),
    run: ctx => findLabel(ctx, ctx.params.label_id, ctx.params as LabelReach),
  })
  const create = endpoint({
    route: `POST ${path}`,
    summary: `Create a label of a ${noun}`,
    scope,
    can: manage,
    params: { name: Name('The name'), color: Color, description, priority },
    answers: one(entity),
    errors: ['conflict'],
    run: ctx => createLabel(ctx, ctx.place, ctx.params),
  })
  const update = endpoint({
    route: `PUT ${path}/:label_id`,
    summary: `Change a label of a ${noun}`,
    scope: inOne,
    can: manage,
    params: changes,
    rules: [someChange],
    answers: one(entity),
    run: ctx => updateLabel(ctx, ctx.place, ctx.label, ctx.params),
  })
  const remove = endpoint({
    route: `DELETE ${path}/:label_id`,
    summary: `Delete a label of a ${noun}`,
    scope: inOne,
    can: manage,
    answers: nothing,
    run: ctx => removeLabel(ctx, ctx.place, ctx.label),
  })
  const updateNamed = endpoint({
    route: `PUT ${path}`,
    summary: `Change a label of a ${noun} (deprecated form)`,
    scope,
    can: manage,
    params: { name: optional(text('Name of the label')), label_id: optional(integer('ID or name of the label')), ...changes },
    rules: [atLeastOne('name', 'label_id'), someChange],
    answers: one(entity),
    run: async ctx => updateLabel(ctx, ctx.place, await findLabel(ctx, ctx.params.label_id ?? ctx.params.name), ctx.params),
  })
  const removeNamed = endpoint({
    route: `DELETE ${path}`,
    summary: `Delete a label of a ${noun} (deprecated form)`,
    scope,
    can: manage,
    params: { name: optional(text('Name of the label')), label_id: optional(integer('ID or name of the label')) },
    rules: [atLeastOne('name', 'label_id')],
    answers: nothing,
    run: async ctx => removeLabel(ctx, ctx.place, await findLabel(ctx, ctx.params.label_id ?? ctx.params.name)),
  })
  const subscription = (word: 'subscribe' | 'unsubscribe') =>
    endpoint({
      route: `POST ${path}/:label_id/${word}`,
      summary: word === 'subscribe' ? `Subscribe to a label of a ${noun}` : `Unsubscribe from a label of a ${noun}`,
      scope: inOne,
      can: subscribe,
      answers: one(entity),
      errors: ['not_modified'],
      run: ctx => changeSubscription(ctx, ctx.place, ctx.label, word === 'subscribe'),
    })
  return [list, get, create, update, remove, updateNamed, removeNamed, subscription('subscribe'), subscription('unsubscribe')] as const
}

export const projectLabels = labelEndpoints({
  noun: 'project',
  scope: inPlanningProject,
  entity: ProjectLabel,
  read: 'read_label',
  manage: 'admin_label',
  subscribe: 'subscribe_label',
  reach: ancestors,
})

export const groupLabels = labelEndpoints({
  noun: 'group',
  scope: inPlanningGroup,
  entity: GroupLabel,
  read: 'read_group_label',
  manage: 'admin_group_label',
  subscribe: 'subscribe_group_label',
  reach: {
    ...ancestors,
    include_descendant_groups: optionalFlag('Labels of the groups below too'),
    only_group_labels: optionalFlag('No labels of projects; default true'),
  },
})

export const promoteLabel = endpoint({
  route: 'PUT /projects/:id/labels/:label_id/promote',
  summary: 'Promote a label of a project to its group',
  scope: inLabel(inPlanningProject),
  can: 'admin_label',
  answers: one(GroupLabel),
  run: ctx => promotion.promoteLabel(ctx, ctx.project, ctx.label),
})

export const promoteNamedLabel = endpoint({
  route: 'PUT /projects/:id/labels/promote',
  summary: 'Promote a label of a project to its group (deprecated form)',
  scope: inPlanningProject,
  can: 'admin_label',
  params: { name: text('Name of the label', { examples: ['urgency:1'] }) },
  answers: one(GroupLabel),
  run: async ctx => promotion.promoteLabel(ctx, ctx.project, await findLabel(ctx, ctx.params.name)),
})
