/** The parameters that project endpoints share (document 3 "Projects"). */
import Type, { type TProperties } from 'typebox'
import { avatarParam } from '../../identity/avatars/params.ts'
import { customAttributeParams } from '../../identity/custom_attributes/params.ts'
import { CommaList, DateTime, Nullable, OneOf, type Options, onTier, takes } from '../../platform/kernel/types.ts'
import { sizeOrders } from './queries.ts'

const level = () => Type.Optional(OneOf(['disabled', 'private', 'enabled']))
// Contract: `public` is valid only for pages and requirements (decision 46).
const publicLevel = () => Type.Optional(OneOf(['disabled', 'private', 'enabled', 'public']))
const flag = (options: Options = {}) => Type.Optional(Type.Boolean(options))

const Topic = Type.String({ minLength: 1, maxLength: 255 })
/** Limit of topics per project: every list of projects shows them all. */
const MAX_TOPICS = 100

/** The parameters that POST and PUT can set. */
export const projectAttributes = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, examples: ['Deploy tool'] })),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  description: Type.Optional(Nullable(Type.String({ maxLength: 2_000 }))),
  default_branch: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  ...avatarParam,
  visibility: Type.Optional(OneOf(['private', 'internal', 'public'])),
  merge_method: Type.Optional(OneOf(['merge', 'rebase_merge', 'ff'])),
  squash_option: Type.Optional(OneOf(['never', 'always', 'default_on', 'default_off'])),
  analytics_access_level: level(),
  builds_access_level: level(),
  forking_access_level: level(),
  issues_access_level: level(),
  merge_requests_access_level: level(),
  operations_access_level: level(),
  repository_access_level: level(),
  snippets_access_level: level(),
  wiki_access_level: level(),
  pages_access_level: publicLevel(),
  requirements_access_level: publicLevel(),
  issues_enabled: flag({ deprecated: true }),
  jobs_enabled: flag({ deprecated: true }),
  merge_requests_enabled: flag({ deprecated: true }),
  snippets_enabled: flag({ deprecated: true }),
  wiki_enabled: flag({ deprecated: true }),
  allow_merge_on_skipped_pipeline: flag(),
  only_allow_merge_if_pipeline_succeeds: flag(),
  only_allow_merge_if_all_discussions_are_resolved: flag(),
  remove_source_branch_after_merge: flag(),
  resolve_outdated_diff_discussions: flag(),
  printing_merge_request_link_enabled: flag(),
  autoclose_referenced_issues: flag(),
  approvals_before_merge: onTier('premium', Type.Optional(Type.Integer({ minimum: 0, maximum: 100 }))),
  // Contract: not a boolean (decision 46).
  auto_cancel_pending_pipelines: Type.Optional(OneOf(['enabled', 'disabled'])),
  auto_devops_deploy_strategy: Type.Optional(OneOf(['continuous', 'manual', 'timed_incremental'])),
  auto_devops_enabled: flag(),
  build_coverage_regex: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  build_git_strategy: Type.Optional(OneOf(['fetch', 'clone'])),
  build_timeout: Type.Optional(Type.Integer({ minimum: 600, maximum: 2_592_000, description: 'Seconds' })),
  ci_config_path: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 255,
        pattern: '^(?!/)(?!.*\\.\\.)',
        message: 'cannot include leading slash or directory traversal.',
      }),
    ),
  ),
  ci_default_git_depth: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000 }))),
  ci_forward_deployment_enabled: flag(),
  public_builds: flag(),
  public_jobs: flag(),
  lfs_enabled: flag(),
  emails_disabled: flag(),
  packages_enabled: flag(),
  request_access_enabled: flag(),
  service_desk_enabled: flag(),
  shared_runners_enabled: flag(),
  show_default_award_emojis: flag(),
  keep_latest_artifact: flag(),
  ci_job_token_scope_enabled: flag({
    description: 'Whether job tokens of the project reach other projects only where its job token scope lists them (`outbound`)',
  }),
  ci_separated_caches: flag({
    description: 'Whether jobs of protected branches and tags have caches of their own; true for a new project',
  }),
  restrict_user_defined_variables: flag(),
  container_registry_enabled: flag(),
  container_expiration_policy_attributes: Type.Optional(
    Type.Object({
      cadence: Type.Optional(OneOf(['1d', '7d', '14d', '1month', '3month'])),
      keep_n: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100 }))),
      older_than: Type.Optional(Nullable(OneOf(['7d', '14d', '30d', '60d', '90d']))),
      name_regex: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
      name_regex_delete: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
      name_regex_keep: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
      enabled: flag(),
    }),
  ),
  external_authorization_classification_label: onTier('premium', Type.Optional(Nullable(Type.String({ maxLength: 255 })))),
  mirror: onTier('premium', flag()),
  mirror_overwrites_diverged_branches: onTier('premium', flag()),
  mirror_trigger_builds: onTier('premium', flag()),
  only_mirror_protected_branches: onTier('premium', flag()),
  mirror_user_id: onTier('premium', Type.Optional(Type.Integer({ description: 'Administrators only' }))),
  repository_storage: Type.Optional(Type.String({ maxLength: 255, description: 'Administrators only' })),
  repository_size_limit: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description:
          'MB that repository, LFS objects and uploads may take together; 0: any number, null: as for the instance. Administrators only',
      }),
    ),
  ),
  suggestion_commit_message: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
  tag_list: Type.Optional(CommaList(Topic, { maxItems: MAX_TOPICS, deprecated: true })),
  topics: Type.Optional(CommaList(Topic, { maxItems: MAX_TOPICS })),
  import_url: Type.Optional(Type.String({ maxLength: 2_048, description: 'Where to import the repository from; http or https' })),
  issues_template: onTier('premium', Type.Optional(Nullable(Type.String()))),
  merge_requests_template: onTier('premium', Type.Optional(Nullable(Type.String()))),
} satisfies TProperties

/**
 * The parameters that PUT can set. Only owners change the address and visibility of a project. Contract: a parameter for administrators is
 * ignored when others send it (decision 48).
 */
export const projectChanges = {
  ...projectAttributes,
  visibility: takes('change_project_visibility', projectAttributes.visibility),
  path: takes('change_project_path', projectAttributes.path),
  emails_disabled: takes('disable_project_emails', projectAttributes.emails_disabled),
  mirror_user_id: takes('admin_project_storage', projectAttributes.mirror_user_id, 'ignored'),
  repository_storage: takes('admin_project_storage', projectAttributes.repository_storage, 'ignored'),
  repository_size_limit: takes('admin_project_storage', projectAttributes.repository_size_limit, 'ignored'),
} satisfies TProperties

/** The parameters that request optional fields, alone and in lists. */
export const askedParams = {
  statistics: flag({ description: 'With numbers about what it stores, where one is a member from Reporter up' }),
  license: flag({ description: 'With the licence' }),
} satisfies TProperties

/** The filters and order of every list of projects. */
const commonListParams = {
  ...customAttributeParams,
  archived: flag(),
  membership: flag({ description: 'Only projects that one is a member of' }),
  min_access_level: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  order_by: Type.Optional(OneOf(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at', ...sizeOrders])),
  owned: flag({ description: 'Only projects that one owns' }),
  search: Type.Optional(Type.String({ maxLength: 255 })),
  simple: flag({ description: 'Only the simple fields' }),
  sort: Type.Optional(OneOf(['asc', 'desc'])),
  starred: flag({ description: 'Only projects that one has starred' }),
  statistics: askedParams.statistics,
  visibility: Type.Optional(OneOf(['private', 'internal', 'public'])),
  with_issues_enabled: flag(),
  with_merge_requests_enabled: flag(),
} satisfies TProperties

/** For the starred projects of a user, and for the forks of a project. */
export const shortListParams = commonListParams

/** For the projects that a user owns. */
export const userListParams = {
  ...commonListParams,
  id_after: Type.Optional(Type.Integer({ minimum: 0 })),
  id_before: Type.Optional(Type.Integer({ minimum: 0 })),
  with_programming_language: Type.Optional(Type.String({ maxLength: 255, description: 'Name of a language, in any case of letters' })),
} satisfies TProperties

/** For all projects. */
export const projectListParams = {
  ...userListParams,
  last_activity_after: Type.Optional(DateTime()),
  last_activity_before: Type.Optional(DateTime()),
  repository_checksum_failed: onTier('premium', flag({ description: 'Only projects whose repository was found damaged' })),
  repository_storage: Type.Optional(Type.String({ description: 'Administrators only' })),
  search_namespaces: flag(),
  topic: Type.Optional(CommaList(Type.String(), { description: 'Projects that have all of these topics' })),
  wiki_checksum_failed: onTier('premium', flag({ description: 'Only projects whose wiki was found damaged' })),
} satisfies TProperties
