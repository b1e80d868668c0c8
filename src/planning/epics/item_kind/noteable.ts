/** Epics as noteables: items that notes can be written on. */

import { type ItemFacts, isOwnItem, type Noteable, type NoteableApi } from '../../../collaboration/notes/items/noteable.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { groupSubject, inGroup } from '../../../spaces/groups/scope.ts'
import { type EpicRow, visibleEpicById } from '../queries.ts'
import { inEpic } from '../scope.ts'

/** A group with the actor's role in it. */
export type GroupWithRole = Parameters<typeof groupSubject>[0]

export interface NoteableEpic extends Noteable<EpicRow & Pick<ItemFacts, 'assignee_ids' | 'discussion_locked'>> {
  readonly group: GroupWithRole
  readonly epic: EpicRow
}

export function noteableEpic({ actor }: Pick<Context, 'actor'>, group: GroupWithRole, epic: EpicRow): NoteableEpic {
  const item = { ...epic, assignee_ids: [], discussion_locked: null }
  return {
    noun: 'epic',
    key: { epic_id: epic.id },
    item,
    role: group.role,
    isOwn: isOwnItem(actor, item),
    subject: groupSubject(group),
    place: { namespace_id: group.id },
    group,
    epic,
  }
}

const common = {
  noun: 'an epic',
  can: {
    read: 'read_epic',
    say: 'create_epic_note',
    change: 'admin_epic_note',
    award: 'award_epic_emoji',
    mark: 'mark_epic_todo',
  },
  tier: 'premium',
} as const

/** Declaration of the endpoints about epics, by number. */
export const epicApi: NoteableApi = {
  ...common,
  path: '/groups/:id/epics/:epic_iid',
  scope: within(inEpic, {
    name: 'inEpic',
    path: {},
    load: async ctx => ({ noteable: noteableEpic(ctx, ctx.group, ctx.epic) }),
  }),
}

/** Contract: notes, threads and resource events name an epic by id, everything else by number (notes API). */
export const epicApiById: NoteableApi = {
  ...common,
  path: '/groups/:id/epics/:epic_id',
  scope: within(inGroup, {
    name: 'inEpicById',
    path: { epic_id: integer('ID of an epic') },
    async load(ctx, { epic_id }) {
      const epic = await visibleEpicById(ctx.db, ctx.actor, epic_id, ctx.group.full_path)
      if (!epic || epic.namespace_id !== ctx.group.id) throw notFound('Epic')
      return { noteable: noteableEpic(ctx, ctx.group, epic) }
    },
    modifiedAt: ({ noteable }) => noteable.epic.updated_at,
  }),
}
