/** What changes the address of a group, and what ends it. */
import { roles } from '../../../platform/access/abilities.ts'
import { isAdmin } from '../../../platform/access/actor.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { deleteGroup, restoreGroup, transferGroup, updateGroup } from '../../../spaces/groups/endpoints.ts'
import { groupPath } from '../../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import { type GroupRow, groupsMatching } from '../../../spaces/groups/queries.ts'
import type { Section } from '../../settings_pages/declaration.ts'
import { typedPath } from '../../settings_pages/ending.ts'
import { leaving } from '../../settings_pages/leaving.ts'
import type { OfGroup } from './declared.ts'

/** Groups that are offered. */
const MOST = 500

const settled = (group: GroupRow, key: string): string => groupPath(group, `/-/edit#${key}`)

/** Groups that it can be moved into: not itself, not those below it, not the one that it is in. */
async function targets({ db, actor, group }: Context & OfGroup) {
  // An administrator may move a group anywhere, member or not.
  const filters = isAdmin(actor) ? { all_available: true } : { min_access_level: roles.maintainer }
  const all = await groupsMatching(db, actor, filters).limit(MOST).execute()
  const others = all.filter(({ id, traversal_ids }) => !traversal_ids.includes(group.id) && id !== group.parent_id)
  const top = group.parent_id === null ? [] : [['', 'The top: a group in no other'] as const]
  return [...top, ...others.map(({ id, full_path }) => [String(id), full_path] as const)]
}

export const ending: readonly Section<OfGroup>[] = [
  {
    key: 'path',
    title: 'Change the path',
    alsoCalled: 'rename url',
    look: 'danger',
    says: 'The addresses of all that is in the group change. Those of projects lead on from the former ones.',
    of: updateGroup,
    values: ({ group }) => ({ path: group.path }),
    fields: [{ name: 'path', label: 'Path', required: true, hint: 'The last part of the address.' }],
    button: 'Change the path',
    notice: 'The path was changed.',
    next: (_ctx, group: GroupRow) => settled(group, 'path'),
  },
  {
    key: 'transfer',
    title: 'Move into another group',
    look: 'danger',
    says: 'Members of the new group above work in it too; those of the former one no longer do.',
    of: transferGroup,
    fields: [
      { name: 'group_id', label: 'Where to', control: 'select', choices: targets, hint: 'Groups in which you may create subgroups.' },
    ],
    confirms: true,
    button: 'Move the group',
    notice: 'The group was moved.',
    next: (_ctx, group: GroupRow) => settled(group, 'transfer'),
  },
  leaving<OfGroup>('leave_group', 'group'),
  {
    key: 'restore',
    title: 'Marked for deletion',
    look: 'danger',
    says: 'The group will be deleted with everything in it.',
    can: 'admin_group',
    tier: 'premium',
    isShown: ({ group }) => group.marked_for_deletion_on !== null,
    view: ctx => actionButton(ctx, { to: groupPath(ctx.group, '/-/settings/general/restore'), face: 'Restore the group' }),
  },
  {
    key: 'delete',
    title: 'Delete the group',
    look: 'danger',
    says: 'With its subgroups, all projects in them, and their repositories, issues, merge requests and files. Where the instance keeps deleted groups for some days it can be restored until then; else all is gone.',
    of: deleteGroup,
    isShown: ({ group }) => group.marked_for_deletion_on === null,
    ...typedPath<OfGroup>(({ group }) => group.full_path),
    confirms: true,
    button: 'Delete the group',
    notice: 'The group was deleted.',
    next: () => '/',
  },
]

export const restore = action<OfGroup>({
  scope: inGroupPage,
  route: 'POST /groups/:group_path/-/settings/general/restore',
  of: restoreGroup,
  next: ({ group }) => settled(group, 'delete'),
  notice: 'The group was restored.',
})
