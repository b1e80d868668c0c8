/** The parameters that project endpoints share (document 3 "Projects"). */
import Type, { type TProperties } from 'typebox'
import { avatarParam } from '../../../identity/avatars/params.ts'
import { customAttributeParams } from '../../../identity/custom_attributes/params.ts'
import {
  CommaList,
  DateTime,
  described,
  flag,
  integer,
  Nullable,
  OneOf,
  type Options,
  onTier,
  optional,
  requiresAbility,
  text,
} from '../../../platform/kernel/declaration/types.ts'
import { sizeOrders } from '../queries.ts'

const level = (what: string) => optional(OneOf(['disabled', 'private', 'enabled'], { description: `Who may ${what}` }))
// Contract: `public` is valid only for pages and requirements (decision 46).
const publicLevel = (what: string) => optional(OneOf(['disabled', 'private', 'enabled', 'public'], { description: `Who may ${what}` }))
const optionalFlag = (options: Options = {}) => Type.Optional(Type.Boolean(options))

const Topic = Type.String({ minLength: 1, maxLength: 255 })
/** Limit of topics per project: every list of projects shows them all. */
const MAX_TOPICS = 100

/** The parameters that POST and PUT can set. */
export const projectAttributes = {
  name: optional(text('Name of the project', { minLength: 1, maxLength: 255, examples: ['Deploy tool'] })),
  path: optional(text('Last part of the path; made of the name unless given', { minLength: 1, maxLength: 255 })),
  description: optional(Nullable(text('Description', { maxLength: 2_000 }))),
  default_branch: optional(text('Name of the default branch', { minLength: 1, maxLength: 255 })),
  ...avatarParam,
  visibility: optional(OneOf(['private', 'internal', 'public'], { description: 'Only projects with this visibility' })),
  merge_method: optional(
    OneOf(['merge', 'rebase_merge', 'ff'], { description: 'How merge requests are merged: `merge`, `rebase_merge` or `ff`' }),
  ),
  squash_option: optional(
    OneOf(['never', 'always', 'default_on', 'default_off'], {
      description: 'Whether to squash: `never`, `always`, `default_on` or `default_off`',
    }),
  ),
  analytics_access_level: level('use analytics'),
  builds_access_level: level('use CI/CD'),
  forking_access_level: level('fork the project'),
  issues_access_level: level('use issues'),
  merge_requests_access_level: level('use merge requests'),
  operations_access_level: level('use operations'),
  repository_access_level: level('use the repository'),
  snippets_access_level: level('use snippets'),
  wiki_access_level: level('use the wiki'),
  container_registry_access_level: level('use the container registry; `private`: Reporters and above'),
  pages_access_level: publicLevel('see the pages site'),
  requirements_access_level: publicLevel('use requirements'),
  issues_enabled: optional(flag('Whether issues are on', { deprecated: true })),
  jobs_enabled: optional(flag('Whether CI/CD is on', { deprecated: true })),
  merge_requests_enabled: optional(flag('Whether merge requests are on', { deprecated: true })),
  snippets_enabled: optional(flag('Whether snippets are on', { deprecated: true })),
  wiki_enabled: optional(flag('Whether the wiki is on', { deprecated: true })),
  allow_merge_on_skipped_pipeline: optional(flag('Whether a skipped pipeline counts as passed')),
  only_allow_merge_if_pipeline_succeeds: optional(flag('Whether the pipeline must succeed before a merge')),
  only_allow_merge_if_all_discussions_are_resolved: optional(flag('Whether all threads must be resolved before a merge')),
  remove_source_branch_after_merge: optional(flag('Whether source branches are deleted after a merge unless the user says otherwise')),
  resolve_outdated_diff_discussions: optional(flag('Whether threads are resolved when a push changes their lines')),
  printing_merge_request_link_enabled: optional(flag('Whether a push answers with a link that opens a merge request')),
  autoclose_referenced_issues: optional(
    flag('Whether merging into the default branch closes the issues that are mentioned with a closing word'),
  ),
  approvals_before_merge: onTier('premium', optional(integer('Number of approvals that are required', { minimum: 0, maximum: 100 }))),
  // Contract: not a boolean (decision 46).
  auto_cancel_pending_pipelines: optional(
    OneOf(['enabled', 'disabled'], { description: 'Whether older pending pipelines of a branch are canceled: `enabled` or `disabled`' }),
  ),
  auto_devops_deploy_strategy: optional(
    OneOf(['continuous', 'manual', 'timed_incremental'], {
      description: 'How Auto DevOps deploys: `continuous`, `manual` or `timed_incremental`',
    }),
  ),
  auto_devops_enabled: optional(flag('Whether Auto DevOps is on')),
  build_coverage_regex: optional(Nullable(text('Regular expression that finds the coverage in logs', { maxLength: 255 }))),
  build_git_strategy: optional(OneOf(['fetch', 'clone'], { description: 'How runners get the sources: `fetch` or `clone`' })),
  build_timeout: optional(integer('Seconds', { minimum: 600, maximum: 2_592_000 })),
  ci_config_path: optional(
    Nullable(
      text('Path of the CI file', {
        maxLength: 255,
        pattern: '^(?!/)(?!.*\\.\\.)',
        message: 'cannot include leading slash or directory traversal.',
      }),
    ),
  ),
  ci_default_git_depth: optional(Nullable(integer('Number of commits that runners fetch', { minimum: 0, maximum: 1_000 }))),
  ci_forward_deployment_enabled: optional(flag('Whether outdated deployment jobs are kept from running')),
  public_builds: optional(flag('Whether logs and artifacts are open to those who may see the project')),
  public_jobs: optional(flag('Whether logs and artifacts are open to those who may see the project')),
  lfs_enabled: optional(flag('Whether Git LFS is on')),
  emails_disabled: optional(flag('Whether email notifications are off')),
  packages_enabled: optional(flag('Whether packages are on')),
  request_access_enabled: optional(flag('Whether users may request access')),
  service_desk_enabled: optional(flag('Whether mail becomes issues')),
  shared_runners_enabled: optional(flag('Whether shared runners are on')),
  show_default_award_emojis: optional(flag('Whether thumbs up and down are always shown')),
  keep_latest_artifact: optional(flag('Whether the newest artifacts of a reference are kept after they expire')),
  ci_job_token_scope_enabled: optionalFlag({
    description: 'Whether job tokens of the project reach other projects only where its job token scope lists them (`outbound`)',
  }),
  ci_separated_caches: optionalFlag({
    description: 'Whether jobs of protected branches and tags have caches of their own; true for a new project',
  }),
  restrict_user_defined_variables: optional(flag('Whether only Maintainers may give variables to pipelines')),
  container_registry_enabled: optional(flag('Whether the container registry is on', { deprecated: true })),
  container_expiration_policy_attributes: optional(
    described(
      'Policy that cleans up the container registry',
      Type.Object({
        cadence: optional(OneOf(['1d', '7d', '14d', '1month', '3month'], { description: 'How often the policy runs, such as `1d`' })),
        keep_n: optional(Nullable(integer('Number of tags to keep', { minimum: 1, maximum: 100 }))),
        older_than: optional(Nullable(OneOf(['7d', '14d', '30d', '60d', '90d'], { description: 'Age of tags to remove, such as `14d`' }))),
        name_regex: optional(Nullable(text('Regular expression of tags to remove', { maxLength: 255 }))),
        name_regex_delete: optional(Nullable(text('Regular expression of tags to remove', { maxLength: 255 }))),
        name_regex_keep: optional(Nullable(text('Regular expression of tags to keep', { maxLength: 255 }))),
        enabled: optional(flag('Whether the policy is on')),
      }),
    ),
  ),
  external_authorization_classification_label: onTier(
    'premium',
    optional(Nullable(text('Label for an external authorization service', { maxLength: 255 }))),
  ),
  mirror: onTier('premium', optional(flag('Whether the project pulls from another repository'))),
  mirror_overwrites_diverged_branches: onTier('premium', optional(flag('Whether pulling overwrites branches that differ'))),
  mirror_trigger_builds: onTier('premium', optional(flag('Whether pulling starts pipelines'))),
  only_mirror_protected_branches: onTier('premium', optional(flag('Whether only protected branches are pulled'))),
  mirror_user_id: onTier('premium', optional(integer('Administrators only'))),
  repository_storage: optional(text('Administrators only', { maxLength: 255 })),
  repository_size_limit: optional(
    Nullable(
      integer(
        'MB that repository, LFS objects, packages and uploads may take together; 0: any number, null: as for the instance. Administrators only',
        { minimum: 0, maximum: 1_000_000_000 },
      ),
    ),
  ),
  suggestion_commit_message: optional(Nullable(text('Message of commits that apply suggestions', { maxLength: 255 }))),
  tag_list: optional(described('Tags', CommaList(Topic, { maxItems: MAX_TOPICS, deprecated: true }))),
  topics: optional(described('Topics', CommaList(Topic, { maxItems: MAX_TOPICS }))),
  import_url: optional(text('Where to import the repository from; http or https', { maxLength: 2_048 })),
  issues_template: onTier('premium', optional(Nullable(text('Text that new issues begin with')))),
  merge_requests_template: onTier('premium', optional(Nullable(text('Text that new merge requests begin with')))),
} satisfies TProperties

/**
 * The parameters that PUT can set. Only owners change the address and visibility of a project. Contract: a parameter for administrators is
 * ignored when others send it (decision 48).
 */
export const projectChanges = {
  ...projectAttributes,
  visibility: requiresAbility('change_project_visibility', projectAttributes.visibility),
  path: requiresAbility('change_project_path', projectAttributes.path),
  emails_disabled: requiresAbility('disable_project_emails', projectAttributes.emails_disabled),
  mirror_user_id: requiresAbility('admin_project_storage', projectAttributes.mirror_user_id, 'ignored'),
  repository_storage: requiresAbility('admin_project_storage', projectAttributes.repository_storage, 'ignored'),
  repository_size_limit: requiresAbility('admin_project_storage', projectAttributes.repository_size_limit, 'ignored'),
} satisfies TProperties

/** The parameters that request optional fields, alone and in lists. */
export const requestedFieldParams = {
  statistics: optionalFlag({ description: 'With numbers about what it stores, where one is a member from Reporter up' }),
  license: optionalFlag({ description: 'With the licence' }),
} satisfies TProperties

/** The filters and order of every list of projects. */
const commonListParams = {
  ...customAttributeParams,
  archived: optional(flag('Only archived projects, or only others')),
  membership: optionalFlag({ description: 'Only projects that one is a member of' }),
  min_access_level: optional(integer('Only those where the caller has this level or more', { minimum: 0, maximum: 100 })),
  order_by: optional(
    OneOf(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at', 'star_count', ...sizeOrders], {
      description: 'What the list is ordered by',
    }),
  ),
  owned: optionalFlag({ description: 'Only projects that one owns' }),
  search: optional(text('Part of the name or path', { maxLength: 255 })),
  simple: optionalFlag({ description: 'Only the simple fields' }),
  sort: optional(OneOf(['asc', 'desc'], { description: '`asc` or `desc`' })),
  starred: optionalFlag({ description: 'Only projects that one has starred' }),
  statistics: requestedFieldParams.statistics,
  visibility: optional(OneOf(['private', 'internal', 'public'], { description: 'Only projects with this visibility' })),
  with_issues_enabled: optional(flag('Only projects with issues')),
  with_merge_requests_enabled: optional(flag('Only projects with merge requests')),
} satisfies TProperties

/** For the starred projects of a user, and for the forks of a project. */
export const shortListParams = commonListParams

/** For the projects that a user owns. */
export const userListParams = {
  ...commonListParams,
  id_after: optional(integer('Only projects with a higher ID', { minimum: 0 })),
  id_before: optional(integer('Only projects with a lower ID', { minimum: 0 })),
  with_programming_language: optional(text('Name of a language, in any case of letters', { maxLength: 255 })),
} satisfies TProperties

/** For all projects. */
export const projectListParams = {
  ...userListParams,
  last_activity_after: optional(DateTime('Only projects active after this instant')),
  last_activity_before: optional(DateTime('Only projects active before this instant')),
  repository_checksum_failed: onTier('premium', optionalFlag({ description: 'Only projects whose repository was found damaged' })),
  repository_storage: optional(text('Administrators only')),
  search_namespaces: optional(flag('Searches the names of parents too')),
  topic: Type.Optional(CommaList(Type.String(), { description: 'Projects that have all of these topics' })),
  wiki_checksum_failed: onTier('premium', optionalFlag({ description: 'Only projects whose wiki was found damaged' })),
} satisfies TProperties
