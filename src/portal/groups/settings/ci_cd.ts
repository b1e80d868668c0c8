/** The settings of CI/CD in a group. */
import { updateGroup } from '../../../spaces/groups/endpoints.ts'
import { groupPage, groupValues } from './declared.ts'

export const ciCdPage = groupPage({
  key: 'ci_cd',
  title: 'CI/CD',
  path: '/groups/:group_path/-/settings/ci_cd',
  sections: [
    {
      key: 'shared_runners',
      title: 'Runners of the instance',
      of: updateGroup,
      values: groupValues,
      fields: [
        {
          name: 'shared_runners_setting',
          label: 'Runners of the instance in the group',
          control: 'radio',
          choices: [
            ['enabled', 'On', 'Each project may turn them off for itself.'],
            ['disabled_with_override', 'Off, unless', 'Groups below and projects may turn them on for themselves.'],
            ['disabled_and_unoverridable', 'Off', 'Nobody below can turn them on.'],
          ],
          hint: '',
        },
      ],
    },
  ],
})
