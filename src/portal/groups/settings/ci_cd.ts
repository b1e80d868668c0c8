/** The settings of CI/CD in a group. */
import { featureEnabled } from '../../../platform/access/feature_flags.ts'
import { html } from '../../../platform/pages/html.ts'
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
    {
      key: 'protected_tiers',
      title: 'Protected tiers',
      can: 'admin_group_protected_environments',
      tier: 'premium',
      view: async ({ db, actor, group }) =>
        (await featureEnabled(db, 'group_level_protected_environments', { user: actor.user, group }))
          ? html`<p>Of the environments of a tier, such as production, in all projects of the group: only those whom you name deploy there.</p><p><a class="btn" href="/groups/${group.full_path}/-/settings/protected_environments">Protected tiers</a></p>`
          : html`<p class="muted">The tiers of a group can be protected where an administrator has switched on the feature <code>group_level_protected_environments</code>.</p>`,
    },
  ],
})
