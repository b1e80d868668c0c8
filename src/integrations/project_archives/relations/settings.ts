/** The settings of a project. */

import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { Visibility } from '../../../platform/access/abilities.ts'
import { defaultPolicy, type ExpirationPolicy, unfitPatterns } from '../../../spaces/projects/attributes/expiration_policy.ts'
import { projectAttributes } from '../../../spaces/projects/attributes/params.ts'
import type { ProjectAttributes } from '../../../spaces/projects/commands.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import type { Row } from '../../archives/reading/row.ts'

/** Settings that are the same in an archive. */
const plain = [
  'description',
  'archived',
  'shared_runners_enabled',
  'build_coverage_regex',
  'build_timeout',
  'only_allow_merge_if_pipeline_succeeds',
  'only_allow_merge_if_all_discussions_are_resolved',
  'allow_merge_on_skipped_pipeline',
  'request_access_enabled',
  'ci_config_path',
  'printing_merge_request_link_enabled',
  'auto_cancel_pending_pipelines',
  'service_desk_enabled',
  'suggestion_commit_message',
  'autoclose_referenced_issues',
  'remove_source_branch_after_merge',
  'resolve_outdated_diff_discussions',
  'packages_enabled',
  'issues_template',
  'merge_requests_template',
  'approvals_before_merge',
  'topics',
] as const

/** Features and who may use them; an archive has numbers. */
const features = [
  'issues_access_level',
  'merge_requests_access_level',
  'forking_access_level',
  'wiki_access_level',
  'snippets_access_level',
  'builds_access_level',
  'repository_access_level',
  'pages_access_level',
  'analytics_access_level',
  'operations_access_level',
  'requirements_access_level',
  'container_registry_access_level',
] as const

const ciSettings = [
  'ci_default_git_depth',
  'ci_forward_deployment_enabled',
  'restrict_user_defined_variables',
  'keep_latest_artifact',
  'ci_job_token_scope_enabled',
  'ci_separated_caches',
] as const

const numbers = { disabled: 0, private: 10, enabled: 20, public: 30 } as const
const visibilities = { private: 0, internal: 10, public: 20 } as const

const numberedBy = <T extends Record<string, number>>(table: T, value: unknown): keyof T | undefined =>
  Object.entries(table).find(([, number]) => number === value)?.[0]

/** `project.json`. */
export function exportedSettings(project: ProjectRow, description: string | null): object {
  return {
    ...Object.fromEntries(plain.map(name => [name, project[name] ?? null])),
    ...(description !== null && { description }),
    visibility_level: visibilities[project.visibility as Visibility],
    default_branch: project.default_branch,
    container_registry_enabled: project.container_registry_access_level !== 'disabled',
    build_allow_git_fetch: project.build_git_strategy === 'fetch',
    public_builds: project.public_jobs,
    merge_requests_ff_only_enabled: project.merge_method === 'ff',
    merge_requests_rebase_enabled: project.merge_method === 'rebase_merge',
    lfs_enabled: project.lfs_enabled,
    squash_option: project.squash_option,
  }
}

/** `project_feature.ndjson`. */
export const exportedFeatures = (project: ProjectRow): object =>
  Object.fromEntries(features.map(name => [name, numbers[project[name] as keyof typeof numbers]]))

/** `ci_cd_settings.ndjson`. */
export const exportedCiSettings = (project: ProjectRow): object => ({
  group_runners_enabled: true,
  ...Object.fromEntries(ciSettings.map(name => [name === 'ci_default_git_depth' ? 'default_git_depth' : name, project[name]])),
})

const attributes = Compile(Type.Object(projectAttributes))

/** What an archive says of a project. */
export interface ImportedSettings {
  readonly attributes: ProjectAttributes
  readonly archived: boolean
  /** Undefined for one that is not known. */
  readonly visibility: Visibility | undefined
  readonly defaultBranch: string | undefined
}

/** Rows that stand beside that of the project. */
interface Beside {
  readonly feature: Row | undefined
  readonly ci: Row | undefined
  /** `container_expiration_policy.ndjson`. */
  readonly policy: Row | undefined
}

const policyKeys = ['cadence', 'enabled', 'keep_n', 'older_than', 'name_regex', 'name_regex_keep'] as const

/** The policy that cleans images up; undefined for one that no project here could have. */
function policyIn(row: Row | undefined): ProjectAttributes['container_expiration_policy_attributes'] {
  if (!row) return undefined
  const policy = Object.fromEntries(policyKeys.map(name => [name, row.raw(name)]).filter(([, value]) => value !== undefined))
  const given = { container_expiration_policy_attributes: policy }
  if (!attributes.Check(given)) return undefined
  return unfitPatterns({ ...defaultPolicy, ...(policy as Partial<ExpirationPolicy>) }).length === 0 ? policy : undefined
}

/** The settings in an archive, each of them valid as if it came by the API: others keep their defaults. */
export function settingsIn(project: Row, { feature, ci, policy }: Beside): ImportedSettings {
  const isFetch = project.maybeFlag('build_allow_git_fetch')
  const given: Record<string, unknown> = {
    ...Object.fromEntries(plain.filter(name => name !== 'archived').map(name => [name, project.raw(name)])),
    public_builds: project.raw('public_builds'),
    // The level says more where an archive has it.
    container_registry_enabled: project.raw('container_registry_enabled'),
    lfs_enabled: project.raw('lfs_enabled'),
    squash_option: project.raw('squash_option'),
    container_expiration_policy_attributes: policyIn(policy),
    ...(isFetch !== undefined && { build_git_strategy: isFetch ? 'fetch' : 'clone' }),
    merge_method: project.flag('merge_requests_ff_only_enabled')
      ? 'ff'
      : project.flag('merge_requests_rebase_enabled')
        ? 'rebase_merge'
        : 'merge',
    ...Object.fromEntries(features.map(name => [name, numberedBy(numbers, feature?.raw(name))])),
    ...Object.fromEntries(ciSettings.map(name => [name, ci?.raw(name === 'ci_default_git_depth' ? 'default_git_depth' : name)])),
  }
  const valid = Object.entries(given).filter(([name, value]) => value != null && attributes.Check({ [name]: value }))
  // Checked as a text before: something else than a text is no archive of the platform.
  project.maybeText('description')
  return {
    attributes: Object.fromEntries(valid) as ProjectAttributes,
    archived: project.flag('archived'),
    visibility: numberedBy(visibilities, project.raw('visibility_level')),
    defaultBranch: project.maybeText('default_branch', 255),
  }
}
