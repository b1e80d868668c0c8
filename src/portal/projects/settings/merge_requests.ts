/** The settings of a project's merge requests: how they are merged, what is checked before, and who must approve. */
import { setApprovalConfiguration } from '../../../review/approvals/rules/endpoints.ts'
import { updateProject } from '../../../spaces/projects/endpoints.ts'
import { rulesView } from '../../approval_rules/rules_view.ts'
import { projectPage, projectValues } from './declared.ts'

export const mergeRequestsPage = projectPage({
  key: 'merge_requests',
  title: 'Merge requests',
  path: '/:project_path/-/settings/merge_requests',
  sections: [
    {
      key: 'merging',
      title: 'How they are merged',
      of: updateProject,
      values: projectValues,
      fields: [
        {
          name: 'merge_method',
          label: 'Merge method',
          control: 'radio',
          choices: [
            ['merge', 'Merge commit', 'Every merge makes a commit that joins both branches.'],
            [
              'rebase_merge',
              'Merge commit on a linear history',
              'The source branch must be rebased first; a merge commit marks where it came in.',
            ],
            ['ff', 'Fast-forward', 'No merge commits: the source branch must be rebased first, and the target branch moves to its tip.'],
          ],
          hint: '',
        },
        {
          name: 'squash_option',
          label: 'Squash the commits into one',
          control: 'radio',
          choices: [
            ['never', 'Never', 'The choice is not offered.'],
            ['default_off', 'Where it is chosen', 'The box is off in a new merge request.'],
            ['default_on', 'Unless it is not wanted', 'The box is on in a new merge request.'],
            ['always', 'Always', 'Nobody can choose otherwise.'],
          ],
          hint: '',
        },
        {
          name: 'remove_source_branch_after_merge',
          label: 'Delete the source branch afterwards',
          hint: 'The box is on in a new merge request.',
        },
        {
          name: 'resolve_outdated_diff_discussions',
          label: 'Resolve threads on lines that a push changes',
          hint: 'What was said about lines that are no more need not be resolved by hand.',
        },
        {
          name: 'printing_merge_request_link_enabled',
          label: 'Answer a push with a link that opens a merge request',
          hint: 'As git prints it in the terminal.',
        },
        {
          name: 'suggestion_commit_message',
          label: 'Message of commits that apply suggestions',
          placeholder: 'Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)',
          hint: '`%{branch_name}`, `%{files_count}`, `%{file_paths}`, `%{project_name}`, `%{project_path}`, `%{suggestions_count}`, `%{user_full_name}` and `%{username}` stand for what they say.',
        },
        {
          name: 'merge_requests_template',
          label: 'Text that new merge requests begin with',
          control: 'textarea',
          hint: 'It goes before `.gitlab/merge_request_templates/Default.md` of the repository.',
        },
      ],
    },
    {
      key: 'checks',
      title: 'Checks before the merge',
      of: updateProject,
      values: projectValues,
      fields: [
        {
          name: 'only_allow_merge_if_pipeline_succeeds',
          label: 'The pipeline must succeed',
          hint: 'Without a pipeline nothing can be merged.',
        },
        { name: 'allow_merge_on_skipped_pipeline', label: 'A skipped pipeline counts as one that succeeded', hint: '' },
        { name: 'only_allow_merge_if_all_discussions_are_resolved', label: 'All threads must be resolved', hint: '' },
      ],
    },
    {
      key: 'approvals',
      title: 'Approvals',
      of: setApprovalConfiguration,
      empty: 'left_out',
      values: projectValues,
      fields: [
        {
          name: 'approvals_before_merge',
          required: true,
          label: 'Approvals that every merge request needs',
          hint: 'Besides those of the rules below. 0: none.',
        },
        { name: 'merge_requests_author_approval', label: 'Authors may approve their own merge requests', hint: '' },
        { name: 'merge_requests_disable_committers_approval', label: 'Those who added commits may not approve', hint: '' },
        { name: 'disable_overriding_approvers_per_merge_request', label: 'Merge requests may not have rules of their own', hint: '' },
        { name: 'reset_approvals_on_push', label: 'New commits take approvals back', hint: '' },
        { name: 'require_password_to_approve', label: 'Who approves must give their password', hint: '' },
      ],
    },
    {
      key: 'approval_rules',
      title: 'Approval rules',
      says: 'Who must approve what. A merge request can be merged once each rule that applies to it is met.',
      can: 'admin_project',
      tier: 'premium',
      view: rulesView,
    },
  ],
})
