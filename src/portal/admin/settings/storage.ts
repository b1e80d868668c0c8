/** The settings of the instance for repositories and for CI/CD. */

import { limitNames } from '../../../ci/artifacts/size_limits.ts'
import { changePlanLimits } from '../../../ci/plan_limits/endpoints.ts'
import { type PackageLimitName, packageLimitNames } from '../../../ci/plan_limits/entity.ts'
import { planLimits } from '../../../ci/plan_limits/queries.ts'
import { updateApplicationSettings } from '../../../platform/application_settings/endpoints.ts'
import type { ImportSourceName } from '../../../platform/application_settings/import_sources.ts'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { instancePage, instanceValues } from './declared.ts'

/** What a limit of files of packages is about, for people. */
const packageLimits: Readonly<Record<PackageLimitName, string>> = {
  conan_max_file_size: 'File of a Conan package',
  generic_packages_max_file_size: 'File of a generic package',
  maven_max_file_size: 'File of a Maven package',
  npm_max_file_size: 'File of an npm package',
  nuget_max_file_size: 'File of a NuGet package',
  pypi_max_file_size: 'File of a PyPI package',
}

/** Where this server imports from. */
const offeredSources = [
  ['gitlab_project', 'An archive of a project'],
  ['git', 'The address of a repository'],
  ['github', 'GitHub'],
] as const satisfies readonly (readonly [ImportSourceName, string])[]

/** What the form does not offer stays as clients of the API have set it. */
async function keepOtherSources({ db }: Pick<Context, 'db'>, { import_sources: chosen, ...params }: Readonly<Record<string, unknown>>) {
  const offered: readonly string[] = offeredSources.map(([source]) => source)
  const others = (await applicationSettings(db)).import_sources.filter(source => !offered.includes(source))
  return { ...params, import_sources: [...((chosen ?? []) as readonly string[]), ...others] }
}

const shared = { of: updateApplicationSettings, values: instanceValues, confirms: true } as const

export const repositoryPage = instancePage({
  key: 'repository',
  sections: [
    {
      ...shared,
      key: 'limits',
      title: 'Sizes',
      fields: [
        { name: 'receive_max_input_size', label: 'MB that a push may have', required: true, hint: '0: any number.' },
        {
          name: 'repository_size_limit',
          label: 'MB that a project may take',
          required: true,
          hint: 'Its repository, LFS objects, packages, container images and uploads together. 0: any number. A project may have a limit of its own.',
        },
        { name: 'max_attachment_size', label: 'MB that an uploaded file may have', required: true, hint: 'From 1 to 100.' },
        {
          name: 'container_registry_token_expire_delay',
          label: 'Minutes for which a token of the container registry is good',
          required: true,
          hint: 'An upload that has begun goes on.',
        },
        { name: 'snippet_size_limit', label: 'Bytes that a file of a snippet may have', required: true, hint: '' },
      ],
    },
    {
      ...shared,
      key: 'moving',
      title: 'Export and import',
      instead: { of: [], params: {}, adapt: keepOtherSources },
      fields: [
        {
          name: 'project_export_enabled',
          label: 'Projects are exported as archives',
          hint: 'Where this is off, there are no archives to download either.',
        },
        {
          name: 'import_sources',
          label: 'What projects may be imported from',
          control: 'checkboxes',
          choices: offeredSources,
          hint: 'Imports from a source that is off are refused with 403.',
        },
        {
          name: 'max_import_size',
          label: 'MB that an archive may have that is imported',
          required: true,
          hint: '0: any number. Of projects and groups.',
        },
      ],
    },
    {
      ...shared,
      key: 'new_projects',
      title: 'New projects and groups',
      fields: [
        { name: 'default_branch_name', label: 'First branch', placeholder: 'main', hint: '' },
        {
          name: 'default_branch_protection',
          label: 'Protection of the default branch in new groups',
          control: 'radio',
          choices: [
            ['0', 'None: Developers push, force and delete'],
            ['1', 'Partial: Developers push'],
            ['2', 'Full: Maintainers push'],
            ['3', 'Maintainers push, Developers only into an empty project'],
          ],
          hint: '',
        },
        {
          name: 'default_project_creation',
          label: 'Who creates projects in new groups',
          control: 'radio',
          choices: [
            ['0', 'No one'],
            ['1', 'Maintainers'],
            ['2', 'Maintainers and Developers'],
          ],
          hint: '',
        },
      ],
    },
    {
      ...shared,
      key: 'outbound',
      title: 'Outbound requests',
      says: 'What webhooks may call. Addresses that are not public are refused unless something here, or `INGOT_OUTBOUND_ALLOW`, allows them.',
      fields: [
        {
          name: 'allow_local_requests_from_web_hooks_and_services',
          label: 'Webhooks of projects and groups may call every address',
          hint: '',
        },
        { name: 'allow_local_requests_from_system_hooks', label: 'Hooks of the instance may call every address', hint: '' },
        {
          name: 'outbound_local_requests_whitelist',
          label: 'Hosts, addresses and networks that may be called',
          placeholder: 'ci.example.com, 10.0.0.0/8',
          hint: 'With commas between them.',
        },
      ],
    },
  ],
})

const seconds = (name: string, label: string) =>
  ({ name, label, hint: 'Seconds, two hours (7200) at least; existing ones end too. Empty: no limit.' }) as const

/** `ci_max_artifact_size_junit` as `junit`, in words. */
const kindOf = (name: string): string => {
  const kind = name.replace('ci_max_artifact_size_', '')
  return kinds[kind] ?? kind.replaceAll('_', ' ')
}

/** What people call kinds whose names say little. */
const kinds: Readonly<Record<string, string>> = {
  archive: 'archive of files',
  metadata: 'index of the archive',
  trace: 'stored log',
  junit: 'test report (JUnit)',
  dotenv: 'variables (dotenv)',
  lsif: 'code navigation (LSIF)',
  metrics: 'metrics',
  metrics_referee: 'metrics of the machine, by the runner',
  network_referee: 'network traffic, by the runner',
  cobertura: 'coverage (Cobertura)',
  codequality: 'code quality',
  cluster_applications: 'applications of a cluster',
  sast: 'security scan of the code (SAST)',
  dast: 'security scan of the running program (DAST)',
  terraform: 'plan of Terraform',
}

export const ciCdPage = instancePage({
  key: 'ci_cd',
  sections: [
    {
      ...shared,
      key: 'artifacts',
      title: 'Artifacts and runners',
      fields: [
        {
          name: 'default_artifacts_expire_in',
          label: 'How long artifacts are kept for which the CI file says nothing',
          required: true,
          hint: '`30 days`, `1 year`; `0`: for ever.',
        },
        { name: 'max_artifacts_size', label: 'MB that an archive may have', required: true, hint: '0: as the limits below say.' },
        { name: 'max_pages_size', label: 'MB that a static site may have, unpacked', required: true, hint: '0: any number.' },
        {
          name: 'pages_domain_verification_enabled',
          label: 'Domains of static sites are verified',
          hint: 'A domain leads to a site only while a TXT record of it has the code of the project.',
        },
        { name: 'keep_latest_artifact', label: 'Projects may keep the artifacts of the last successful pipeline', hint: '' },
        { name: 'default_ci_config_path', label: 'CI file of new projects', placeholder: '.gitlab-ci.yml', hint: '' },
        { name: 'shared_runners_enabled', label: 'New projects use the runners of the instance', hint: '' },
        { name: 'shared_runners_text', label: 'What pages say about these runners', control: 'textarea', hint: '' },
      ],
    },
    {
      ...shared,
      key: 'runner_tokens',
      title: 'Life of runners’ tokens',
      fields: [
        seconds('runner_token_expiration_interval', 'Runners of the instance'),
        seconds('group_runner_token_expiration_interval', 'Runners of groups'),
        seconds('project_runner_token_expiration_interval', 'Runners of projects'),
      ],
    },
    {
      key: 'plan_limits',
      title: 'Limits',
      look: 'dense',
      says: '0 for any number.',
      of: changePlanLimits,
      empty: 'left_out',
      values: async ({ db }) => {
        const { artifactSizes, ...limits } = await planLimits(db)
        return { ...limits, ...artifactSizes, plan_name: 'default' }
      },
      fields: [
        { name: 'plan_name', control: 'hidden' },
        { name: 'ci_instance_level_variables', label: 'Variables of the instance', required: true, hint: 'How many' },
        { name: 'ci_jobs_trace_size_limit', label: 'Log of a job', required: true, hint: 'MB' },
        ...packageLimitNames.map(name => ({ name, label: packageLimits[name], required: true as const, hint: 'Bytes' })),
        ...limitNames.map(name => ({ name, label: `Artifact: ${kindOf(name)}`, required: true as const, hint: 'MB' })),
      ],
    },
  ],
})
