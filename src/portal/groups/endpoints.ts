/** The form of a new group. */
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { createGroup } from '../../spaces/groups/endpoints.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'

const newGroup = form({
  path: '/groups/new',
  summary: 'Create a group',
  scope: inInstance,
  of: createGroup,
  fields: () => [
    { name: 'name', autofocus: true, hint: 'As people call it.' },
    { name: 'path', hint: 'The address of the group: letters, digits, dashes.' },
    { name: 'description', control: 'textarea', hint: 'What it is for.' },
    {
      name: 'visibility',
      control: 'radio',
      hint: '',
      choices: [
        ['private', 'Private', 'Members alone see it.'],
        ['internal', 'Internal', 'Every signed-in user sees it, but for external ones.'],
        ['public', 'Public', 'Everybody sees it, without signing in.'],
      ],
    },
    { name: 'parent_id', control: 'hidden' },
  ],
  values: ({ request }) => ({
    visibility: 'private',
    parent_id: new URLSearchParams(request.address.split('?')[1]).get('parent_id') ?? undefined,
  }),
  next: (_ctx, group: { readonly full_path: string }) => groupPath(group),
  notice: 'The group was created.',
  button: 'Create group',
  frame: () => ({ title: 'New group' }),
})

export const showNewGroup = newGroup.show
export const submitNewGroup = newGroup.submit
