/** The settings of a group as such: what it is called, who sees it, what its members may do, and what cannot be taken back. */
import { updateGroup } from '../../../spaces/groups/endpoints.ts'
import { groupPath } from '../../../spaces/groups/pages/place.ts'
import { visibilities } from '../../projects/visibilities.ts'
import { pictureOf } from '../../settings_pages/picture.ts'
import { groupPage, groupValues, type OfGroup } from './declared.ts'
import { ending } from './ending.ts'

export const generalPage = groupPage({
  key: 'general',
  title: 'General',
  path: '/groups/:group_path/-/edit',
  formsAt: '/groups/:group_path/-/settings/general',
  sections: [
    {
      key: 'naming',
      title: 'Name and description',
      of: updateGroup,
      values: groupValues,
      fields: [
        { name: 'name', label: 'Name', required: true, hint: 'As people call it. The address stays as it is.' },
        { name: 'description', label: 'Description', control: 'textarea', hint: 'What it is for.' },
      ],
    },
    pictureOf<OfGroup>(
      updateGroup,
      ({ group }) => group,
      ({ group }) => groupPath(group, '/-/settings/general/picture/delete'),
    ),
    {
      key: 'visibility',
      title: 'Visibility',
      says: 'A group is never more visible than the one above it, and its projects never more than the group.',
      of: updateGroup,
      values: groupValues,
      fields: [
        { name: 'visibility', label: 'Visibility', control: 'radio', choices: visibilities, hint: '' },
        {
          name: 'request_access_enabled',
          label: 'People may ask for access',
          hint: 'Who sees the group and is no member can ask to become one.',
        },
        {
          name: 'mentions_disabled',
          label: 'The group cannot be mentioned',
          hint: 'A mention of it in a text then notifies nobody.',
        },
        {
          name: 'emails_disabled',
          label: 'No notifications by mail',
          hint: 'Nobody gets mail about what happens in the group and in what is below it, whatever they chose.',
        },
      ],
    },
    {
      key: 'permissions',
      title: 'What members may do',
      of: updateGroup,
      values: groupValues,
      fields: [
        {
          name: 'project_creation_level',
          label: 'Who may create projects',
          control: 'radio',
          choices: [
            ['noone', 'Nobody'],
            ['maintainer', 'Maintainers and owners'],
            ['developer', 'Developers, maintainers and owners'],
          ],
          hint: '',
        },
        {
          name: 'subgroup_creation_level',
          label: 'Who may create subgroups',
          control: 'radio',
          choices: [
            ['owner', 'Owners'],
            ['maintainer', 'Maintainers and owners'],
          ],
          hint: '',
        },
        { name: 'share_with_group_lock', label: 'Projects cannot be shared with other groups', hint: 'Holds for the groups below too.' },
        {
          name: 'require_two_factor_authentication',
          label: 'Members must have two-factor authentication',
          hint: 'Those of subgroups too. Afterwards their sessions reach nothing before they have set it up; tokens go on.',
        },
        { name: 'two_factor_grace_period', label: 'Hours that they have for setting it up', hint: 'From their first visit on.' },
        { name: 'membership_lock', label: 'Projects have no members of their own', hint: 'Only those of the group work in its projects.' },
        { name: 'prevent_forking_outside_group', label: 'Projects can be forked within the group only', hint: '' },
      ],
    },
    ...ending,
  ],
})
