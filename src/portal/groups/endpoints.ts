/** The form of a new group. */
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { createGroup } from '../../spaces/groups/endpoints.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { groupPages, inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { groupHome } from './home.ts'

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

export const showGroup = pageEndpoint({
  route: 'GET /groups/:group_path',
  summary: 'Show the page of a group',
  scope: inGroupPage,
  can: 'read_group',
  dialect: groupPages,
  run: ctx => groupHome(ctx, ctx.group),
})

export const showNewGroup = newGroup.show
export const submitNewGroup = newGroup.submit
