/** The fields of a project, simple and full (document 3 "Project"; decision 44). */
import Type from 'typebox'
import { DateTime, Day, Nullable, onTier } from '../../platform/kernel/types.ts'
import { License } from '../licenses/known.ts'
import { namespaceFields } from '../namespaces/entity.ts'
import { sharedWithGroups } from '../shares/entity.ts'

const Namespace = Type.Object(namespaceFields)

/** For anonymous callers, and for `simple=true`. */
export const simpleFields = {
  id: Type.Integer(),
  description: Nullable(Type.String()),
  name: Type.String(),
  name_with_namespace: Type.String(),
  path: Type.String(),
  path_with_namespace: Type.String(),
  created_at: DateTime(),
  default_branch: Nullable(Type.String()),
  tag_list: Type.Array(Type.String()),
  topics: Type.Array(Type.String()),
  ssh_url_to_repo: Type.String(),
  http_url_to_repo: Type.String(),
  web_url: Type.String(),
  readme_url: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  forks_count: Type.Integer(),
  star_count: Type.Integer(),
  last_activity_at: DateTime(),
  namespace: Namespace,
}

const featureLevel = Type.String()
const Access = Nullable(Type.Object({ access_level: Type.Integer(), notification_level: Type.Integer() }))

/** For signed-in users. Optional fields are shown only to users who may see them, or on request. */
export const fullFields = {
  ...simpleFields,
  _links: Type.Object({
    self: Type.String(),
    issues: Type.String(),
    merge_requests: Type.String(),
    repo_branches: Type.String(),
    labels: Type.String(),
    events: Type.String(),
    members: Type.String(),
  }),
  empty_repo: Type.Boolean(),
  archived: Type.Boolean(),
  visibility: Type.String(),
  owner: Type.Optional(
    Type.Object({
      id: Type.Integer(),
      name: Type.String(),
      username: Type.String(),
      state: Type.String(),
      avatar_url: Nullable(Type.String()),
      web_url: Type.String(),
      created_at: DateTime(),
    }),
  ),
  creator_id: Nullable(Type.Integer()),
  forked_from_project: Type.Optional(Type.Object(simpleFields)),
  import_status: Type.String(),
  import_error: Nullable(Type.String()),
  open_issues_count: Type.Optional(Type.Integer()),
  resolve_outdated_diff_discussions: Type.Boolean(),
  container_registry_enabled: Type.Boolean(),
  container_registry_image_prefix: Type.String(),
  container_expiration_policy: Type.Object({
    cadence: Type.String(),
    enabled: Type.Boolean(),
    keep_n: Nullable(Type.Integer()),
    older_than: Nullable(Type.String()),
    name_regex: Nullable(Type.String()),
    name_regex_keep: Nullable(Type.String()),
    next_run_at: Nullable(DateTime()),
  }),
  issues_enabled: Type.Boolean(),
  merge_requests_enabled: Type.Boolean(),
  wiki_enabled: Type.Boolean(),
  jobs_enabled: Type.Boolean(),
  snippets_enabled: Type.Boolean(),
  packages_enabled: Type.Boolean(),
  service_desk_enabled: Type.Boolean(),
  service_desk_address: Nullable(Type.String()),
  can_create_merge_request_in: Type.Boolean(),
  issues_access_level: featureLevel,
  repository_access_level: featureLevel,
  merge_requests_access_level: featureLevel,
  forking_access_level: featureLevel,
  wiki_access_level: featureLevel,
  builds_access_level: featureLevel,
  snippets_access_level: featureLevel,
  pages_access_level: featureLevel,
  operations_access_level: featureLevel,
  analytics_access_level: featureLevel,
  requirements_access_level: onTier('ultimate', featureLevel),
  emails_disabled: Type.Boolean(),
  shared_runners_enabled: Type.Boolean(),
  lfs_enabled: Type.Boolean(),
  show_default_award_emojis: Type.Boolean(),
  request_access_enabled: Type.Boolean(),
  public_jobs: Type.Boolean(),
  runners_token: Type.Optional(Type.String()),
  ci_default_git_depth: Nullable(Type.Integer()),
  ci_forward_deployment_enabled: Type.Boolean(),
  ci_config_path: Nullable(Type.String()),
  build_git_strategy: Type.String(),
  build_timeout: Type.Integer(),
  build_coverage_regex: Nullable(Type.String()),
  auto_cancel_pending_pipelines: Type.String(),
  auto_devops_enabled: Type.Boolean(),
  auto_devops_deploy_strategy: Type.String(),
  restrict_user_defined_variables: Type.Boolean(),
  keep_latest_artifact: Type.Boolean(),
  ci_job_token_scope_enabled: Type.Boolean(),
  ci_separated_caches: Type.Boolean(),
  only_allow_merge_if_pipeline_succeeds: Type.Boolean(),
  allow_merge_on_skipped_pipeline: Type.Boolean(),
  only_allow_merge_if_all_discussions_are_resolved: Type.Boolean(),
  remove_source_branch_after_merge: Type.Boolean(),
  printing_merge_request_link_enabled: Type.Boolean(),
  merge_method: Type.String(),
  squash_option: Type.String(),
  suggestion_commit_message: Nullable(Type.String()),
  autoclose_referenced_issues: Type.Boolean(),
  approvals_before_merge: onTier('premium', Type.Integer()),
  issues_template: onTier('premium', Nullable(Type.String())),
  merge_requests_template: onTier('premium', Nullable(Type.String())),
  mirror: onTier('premium', Type.Boolean()),
  mirror_user_id: onTier('premium', Nullable(Type.Integer())),
  mirror_trigger_builds: onTier('premium', Type.Boolean()),
  only_mirror_protected_branches: onTier('premium', Type.Boolean()),
  mirror_overwrites_diverged_branches: onTier('premium', Type.Boolean()),
  external_authorization_classification_label: onTier('premium', Nullable(Type.String())),
  marked_for_deletion_at: onTier('premium', Nullable(Day())),
  marked_for_deletion_on: onTier('premium', Nullable(Day())),
  repository_storage: Type.Optional(Type.String()),
  repository_size_limit: Type.Optional(Nullable(Type.Integer())),
  shared_with_groups: sharedWithGroups,
  permissions: Type.Object({ project_access: Access, group_access: Access }),
}

/** On request, for members from Reporter up. */
export const statisticsField = {
  statistics: Type.Optional(
    Type.Object({
      commit_count: Type.Integer(),
      storage_size: Type.Integer(),
      repository_size: Type.Integer(),
      wiki_size: Type.Integer(),
      lfs_objects_size: Type.Integer(),
      job_artifacts_size: Type.Integer(),
      packages_size: Type.Integer(),
      snippets_size: Type.Integer(),
    }),
  ),
}

/** On request; null without a licence, and for users who may not read the code. */
export const licenseFields = {
  license_url: Nullable(Type.String()),
  license: Nullable(License),
}
