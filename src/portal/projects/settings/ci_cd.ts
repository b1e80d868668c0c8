/** The settings of a project's CI/CD: its pipelines, and who may use what. */
import { updateJobTokenScope } from '../../../ci/job_token_scope/endpoints.ts'
import { updateProject } from '../../../spaces/projects/endpoints.ts'
import { inboundList, outboundList } from '../../job_tokens/allowlists.ts'
import { projectPage, projectValues } from './declared.ts'
import { statusBadges } from './status_badges.ts'

export const ciCdPage = projectPage({
  key: 'ci_cd',
  title: 'Pipelines and jobs',
  path: '/:project_path/-/settings/ci_cd',
  sections: [
    {
      key: 'pipelines',
      title: 'Pipelines',
      of: updateProject,
      values: projectValues,
      fields: [
        {
          name: 'ci_config_path',
          label: 'CI file',
          placeholder: '.gitlab-ci.yml',
          hint: 'A path in the repository; `path@group/project` for a file of another project. Empty: `.gitlab-ci.yml`.',
        },
        {
          name: 'auto_cancel_pending_pipelines',
          label: 'When a branch gets newer commits',
          control: 'radio',
          choices: [
            ['enabled', 'Cancel its older pipelines', 'Jobs that are not `interruptible` go on once they run.'],
            ['disabled', 'Let its older pipelines go on'],
          ],
          hint: '',
        },
        {
          name: 'ci_forward_deployment_enabled',
          label: 'Keep outdated deployment jobs from running',
          hint: 'A job of an older pipeline does not deploy over that of a newer one.',
        },
        {
          name: 'public_jobs',
          label: 'Logs and artifacts are open to all who may see the project',
          hint: 'Otherwise to members from Reporter up.',
        },
        {
          name: 'keep_latest_artifact',
          label: 'Keep the newest artifacts of each branch and tag',
          hint: 'Also after they would have expired.',
        },
      ],
    },
    {
      key: 'jobs',
      title: 'Jobs',
      of: updateProject,
      values: projectValues,
      fields: [
        {
          name: 'build_timeout',
          required: true,
          label: 'Time limit of a job, in seconds',
          hint: 'From 600 (10 minutes) to 2592000 (30 days). A runner may have a lower one.',
        },
        {
          name: 'build_git_strategy',
          label: 'How runners get the sources',
          control: 'radio',
          choices: [
            ['fetch', 'Fetch', 'Faster: the working copy of the last job is used again.'],
            ['clone', 'Clone', 'Slower: each job begins with a fresh copy.'],
          ],
          hint: '',
        },
        { name: 'ci_default_git_depth', label: 'Commits that runners get', hint: '0: all. Empty: all too.' },
        {
          name: 'build_coverage_regex',
          label: 'Test coverage in logs',
          placeholder: 'Coverage: \\d+\\.\\d+',
          hint: 'A regular expression; a job’s own `coverage` goes before it.',
        },
        {
          name: 'ci_separated_caches',
          label: 'Separate caches for protected branches',
          hint: 'Jobs of other branches cannot put anything into them.',
        },
      ],
    },
    {
      key: 'rights',
      title: 'Who may do what',
      of: updateProject,
      values: projectValues,
      fields: [
        { name: 'shared_runners_enabled', label: 'Runners of the instance may take jobs', hint: 'Where the groups above allow it.' },
        { name: 'restrict_user_defined_variables', label: 'Only maintainers may give variables to a pipeline that they run', hint: '' },
      ],
    },
    {
      key: 'job_tokens',
      title: 'Jobs of other projects',
      of: updateJobTokenScope,
      values: ({ project }) => ({ enabled: project.ci_inbound_job_token_scope_enabled }),
      fields: [
        {
          name: 'enabled',
          label: 'Limit which jobs reach this project',
          hint: 'Only tokens of jobs of the projects and groups on its list do.',
        },
      ],
      after: inboundList,
    },
    {
      key: 'reach',
      title: 'What jobs of this project reach',
      of: updateProject,
      values: projectValues,
      fields: [
        {
          name: 'ci_job_token_scope_enabled',
          label: 'Limit what jobs of this project reach',
          hint: 'Their tokens open only the projects on the list of this one.',
        },
      ],
      after: outboundList,
    },
    { key: 'badges', title: 'Badges of the default branch', can: 'read_pipeline', view: statusBadges },
  ],
})
