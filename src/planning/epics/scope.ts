import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { visibleEpic } from './queries.ts'

/** `:epic_iid` is resolved to an epic of the group that the actor may see, or 404. */
export const inEpic = within(inGroup, {
  name: 'inEpic',
  path: { epic_iid: integer('Number of an epic within its group') },
  async load({ db, actor, group }, { epic_iid }) {
    const epic = await visibleEpic(db, actor, group, epic_iid)
    if (!epic) throw notFound('Epic')
    return { epic }
  },
  modifiedAt: ({ epic }) => epic.updated_at,
})
