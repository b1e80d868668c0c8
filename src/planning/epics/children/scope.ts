import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { visibleEpicById } from '../queries.ts'
import { inEpic } from '../scope.ts'

/** `:child_epic_id` is resolved to any epic that the actor may see, or 404. */
export const inOtherEpic = within(inEpic, {
  name: 'inOtherEpic',
  path: { child_epic_id: integer('ID of an epic (not its `iid`)') },
  async load({ db, actor, group }, { child_epic_id }) {
    const child = await visibleEpicById(db, actor, child_epic_id, group.full_path)
    if (!child) throw notFound('Epic')
    return { child }
  },
})

/** `:child_epic_id` is resolved to a child of the epic, or 404. */
export const inChildEpic = within(inOtherEpic, {
  name: 'inChildEpic',
  path: {},
  async load({ epic, child }) {
    if (child.parent_id !== epic.id) throw notFound('Epic')
    return {}
  },
})
