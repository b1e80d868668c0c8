/** The settings of the repositories in a group. */
import { updateGroup } from '../../../spaces/groups/endpoints.ts'
import { groupPage, groupValues } from './declared.ts'

export const repositoryPage = groupPage({
  key: 'repository',
  title: 'Repositories',
  path: '/groups/:group_path/-/settings/repository',
  sections: [
    {
      key: 'default_branch',
      title: 'Default branch of new projects',
      of: updateGroup,
      values: groupValues,
      fields: [
        {
          name: 'default_branch_protection',
          label: 'Protection from the first push on',
          control: 'radio',
          choices: [
            ['0', 'None', 'Developers push, also with force, and delete the branch.'],
            ['1', 'Partial', 'Developers push, but not with force.'],
            ['3', 'Against pushes', 'Developers merge; only maintainers push.'],
            ['2', 'Full', 'Only maintainers push and merge.'],
          ],
          hint: '',
        },
      ],
    },
    {
      key: 'lfs',
      title: 'Large files',
      of: updateGroup,
      values: groupValues,
      fields: [
        {
          name: 'lfs_enabled',
          label: 'Git LFS',
          hint: 'Switches it on or off in the projects of the group; each can be changed afterwards.',
        },
      ],
    },
  ],
})
