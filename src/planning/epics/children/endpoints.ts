/** Endpoints of child epics (epic links API at 14.0). */

import { endpoint, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { flag, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { createEpic } from '../commands.ts'
import { Epic } from '../entity.ts'
import { neighbourParams } from '../order.ts'
import { childrenOf } from '../queries.ts'
import { inEpic } from '../scope.ts'
import { assignChild, reorderChild, unassignChild } from './commands.ts'
import { LinkedEpic } from './entity.ts'
import { inChildEpic, inOtherEpic } from './scope.ts'

export const listChildEpics = endpoint({
  route: 'GET /groups/:id/epics/:epic_iid/epics',
  summary: 'List the child epics of an epic',
  tier: 'ultimate',
  scope: inEpic,
  can: 'read_epic',
  answers: pageOf(Epic),
  run: ({ db, actor, epic }) => childrenOf(db, actor, epic),
})

export const createChildEpic = endpoint({
  route: 'POST /groups/:id/epics/:epic_iid/epics',
  summary: 'Create a child epic',
  tier: 'ultimate',
  scope: inEpic,
  can: 'admin_epic',
  params: {
    title: text('Title', { minLength: 1, maxLength: 255, examples: ['Dredge the basin'] }),
    confidential: optional(flag('Default: like the parent epic')),
  },
  answers: one(LinkedEpic),
  run: ({ group, epic, params: { title, confidential = epic.confidential }, ...ctx }) =>
    createEpic(ctx, group, { title, confidential, parent_id: epic.id }),
})

export const assignChildEpic = endpoint({
  route: 'POST /groups/:id/epics/:epic_iid/epics/:child_epic_id',
  summary: 'Make an epic a child of another one',
  tier: 'ultimate',
  scope: inOtherEpic,
  can: 'admin_epic',
  answers: one(Epic),
  run: ctx => assignChild(ctx, ctx.epic, ctx.child),
})

export const reorderChildEpic = endpoint({
  route: 'PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id',
  summary: 'Reorder a child epic',
  tier: 'ultimate',
  scope: inChildEpic,
  can: 'admin_epic',
  params: neighbourParams('epic'),
  answers: pageOf(Epic),
  async run(ctx) {
    await reorderChild(ctx, ctx.epic, ctx.child, ctx.params)
    return childrenOf(ctx.db, ctx.actor, ctx.epic)
  },
})

export const unassignChildEpic = endpoint({
  route: 'DELETE /groups/:id/epics/:epic_iid/epics/:child_epic_id',
  summary: 'Remove an epic from its parent',
  tier: 'ultimate',
  scope: inChildEpic,
  can: 'admin_epic',
  answers: one(Epic),
  run: ctx => unassignChild(ctx, ctx.child),
})
