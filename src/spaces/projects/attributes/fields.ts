/** The fields of a project, simple and full (document 3 "Project"; decision 44). */
import Type from 'typebox'
import { DateTime, Day, described, flag, integer, Nullable, onTier, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { License } from '../../licenses/known.ts'
import { namespaceFields } from '../../namespaces/entity.ts'
import { sharedWithGroups } from '../../shares/entity.ts'

const Namespace = Type.Object(namespaceFields)

/** For anonymous callers, and for `simple=true`. */
export const simpleFields = {
  id: integer('ID, unique on the instance'),
  description: Nullable(text('Description; null or empty where there is none')),
  name: text('Name of the project'),
  name_with_namespace: text('Names of all parents and its own, with ` / ` between'),
  path: text('Last part of the path, as in addresses'),
  path_with_namespace: text('Path with those of all parents'),
  created_at: DateTime('When it was created'),
  default_branch: Nullable(text('Name of the default branch; null while the repository is empty')),
  tag_list: described('Tags', Type.Array(Type.String())),
  topics: described('Topics', Type.Array(Type.String())),
  ssh_url_to_repo: text('Address for git over SSH'),
  http_url_to_repo: text('Address for git over HTTP'),
  web_url: text('Address of the page for people'),
  readme_url: Nullable(text('Address of the README; null where there is none')),
  avatar_url: Nullable(text('Address of the avatar; null where there is none')),
  forks_count: integer('Number of forks'),
  star_count: integer('Number of stars'),
  last_activity_at: DateTime('When something last happened'),
  namespace: described('The namespace of the project', Namespace),
}

const featureLevel = Type.String()
const Access = Nullable(
  Type.Object({
    access_level: integer('Level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner'),
    notification_level: integer('Level of notifications, from 0 (disabled) to 5 (custom)'),
  }),
)

/** For signed-in users. Optional fields are shown only to users who may see them, or on request. */
export const fullFields = {
  ...simpleFields,
  _links: described(
    'Addresses of this object and what belongs to it',
    Type.Object({
      self: text('Address of this object in the API'),
      issues: text('Address of the issues'),
      merge_requests: text('Address of the merge requests'),
      repo_branches: text('Address of the branches'),
      labels: text('Address of the labels'),
      events: text('Address of the events'),
      members: text('Address of the members'),
    }),
  ),
  empty_repo: flag('Whether the repository has no commit'),
  archived: flag('Whether the project is archived and read-only'),
  visibility: text('Who may see it: `private`, `internal` or `public`'),
  owner: optional(
    described(
      'The user who owns it',
      Type.Object({
        id: integer('ID, unique on the instance'),
        name: text('Name of the project'),
        username: text('Username, without `@`'),
        state: text('State of the account'),
        avatar_url: Nullable(text('Address of the avatar; null where there is none')),
        web_url: text('Address of the page for people'),
        created_at: DateTime('When it was created'),
      }),
    ),
  ),
  creator_id: Nullable(integer('ID of the creating user; null where the account is deleted')),
  forked_from_project: optional(described('The project that this is a fork of', Type.Object(simpleFields))),
  import_status: text('State of the import: `none`, `scheduled`, `started`, `finished` or `failed`'),
  import_error: Nullable(text('Why the import failed; null where it did not')),
  open_issues_count: optional(integer('Number of open issues; absent for callers who may not see issues')),
  resolve_outdated_diff_discussions: flag('Whether threads are resolved when a push changes their lines'),
  container_registry_enabled: flag('Whether the container registry is on'),
  container_registry_image_prefix: text("Prefix of the names of the project's images"),
  container_expiration_policy: described(
    'Policy that cleans up the container registry',
    Type.Object({
      cadence: text('How often the policy runs, such as `1d`'),
      enabled: flag('Whether the policy is on'),
      keep_n: Nullable(integer('Number of tags to keep; null: all')),
      older_than: Nullable(text('Age of tags to remove, such as `14d`; null: any')),
      name_regex: Nullable(text('Regular expression of tags to remove; null: none')),
      name_regex_keep: Nullable(text('Regular expression of tags to keep; null: none')),
      next_run_at: Nullable(DateTime('When it runs next; null while it is off')),
    }),
  ),
  issues_enabled: flag('Whether issues are on'),
  merge_requests_enabled: flag('Whether merge requests are on'),
  wiki_enabled: flag('Whether the wiki is on'),
  jobs_enabled: flag('Whether CI/CD is on'),
  snippets_enabled: flag('Whether snippets are on'),
  packages_enabled: flag('Whether packages are on'),
  service_desk_enabled: flag('Whether mail becomes issues'),
  service_desk_address: Nullable(text('Address that turns mail into issues; null while it is off')),
  can_create_merge_request_in: flag('Whether the caller may open merge requests here'),
  issues_access_level: described('Who may use issues: `disabled`, `private` or `enabled`', featureLevel),
  repository_access_level: described('Who may use the repository: `disabled`, `private` or `enabled`', featureLevel),
  merge_requests_access_level: described('Who may use merge requests: `disabled`, `private` or `enabled`', featureLevel),
  forking_access_level: described('Who may fork: `disabled`, `private` or `enabled`', featureLevel),
  wiki_access_level: described('Who may use the wiki: `disabled`, `private` or `enabled`', featureLevel),
  builds_access_level: described('Who may use CI/CD: `disabled`, `private` or `enabled`', featureLevel),
  snippets_access_level: described('Who may use snippets: `disabled`, `private` or `enabled`', featureLevel),
  container_registry_access_level: described(
    'Who may use the container registry: `disabled`, `private` (Reporters and above) or `enabled`',
    featureLevel,
  ),
  pages_access_level: described('Who may see the pages site: `disabled`, `private`, `enabled` or `public`', featureLevel),
  operations_access_level: described('Who may use operations: `disabled`, `private` or `enabled`', featureLevel),
  analytics_access_level: described('Who may use analytics: `disabled`, `private` or `enabled`', featureLevel),
  requirements_access_level: onTier('ultimate', described('Who may use requirements: `disabled`, `private` or `enabled`', featureLevel)),
  emails_disabled: flag('Whether email notifications are off'),
  shared_runners_enabled: flag('Whether shared runners are on'),
  lfs_enabled: flag('Whether Git LFS is on'),
  show_default_award_emojis: flag('Whether thumbs up and down are always shown'),
  request_access_enabled: flag('Whether users may request access'),
  public_jobs: flag('Whether logs and artifacts are open to those who may see the project'),
  runners_token: optional(text('Token that registers runners here; for those who may administer it')),
  ci_default_git_depth: Nullable(integer('Number of commits that runners fetch; null: all')),
  ci_forward_deployment_enabled: flag('Whether outdated deployment jobs are kept from running'),
  ci_config_path: Nullable(text('Path of the CI file; null: `.gitlab-ci.yml`')),
  build_git_strategy: text('How runners get the sources: `fetch` or `clone`'),
  build_timeout: integer('Longest time of a job, in seconds'),
  build_coverage_regex: Nullable(text('Regular expression that finds the coverage in logs; null where there is none')),
  auto_cancel_pending_pipelines: text('Whether older pending pipelines of a branch are canceled: `enabled` or `disabled`'),
  auto_devops_enabled: flag('Whether Auto DevOps is on; null: as the instance says'),
  auto_devops_deploy_strategy: text('How Auto DevOps deploys: `continuous`, `manual` or `timed_incremental`'),
  restrict_user_defined_variables: flag('Whether only Maintainers may give variables to pipelines'),
  keep_latest_artifact: flag('Whether the newest artifacts of a reference are kept after they expire'),
  ci_job_token_scope_enabled: flag('Whether job tokens of this project reach only listed projects'),
  ci_separated_caches: flag('Whether caches of protected references are kept apart'),
  only_allow_merge_if_pipeline_succeeds: flag('Whether the pipeline must succeed before a merge'),
  allow_merge_on_skipped_pipeline: flag('Whether a skipped pipeline counts as passed'),
  only_allow_merge_if_all_discussions_are_resolved: flag('Whether all threads must be resolved before a merge'),
  remove_source_branch_after_merge: flag('Whether source branches are deleted after a merge unless the user says otherwise'),
  printing_merge_request_link_enabled: flag('Whether a push answers with a link that opens a merge request'),
  merge_method: text('How merge requests are merged: `merge`, `rebase_merge` or `ff`'),
  squash_option: text('Whether to squash: `never`, `always`, `default_on` or `default_off`'),
  suggestion_commit_message: Nullable(text('Message of commits that apply suggestions; null: the default')),
  autoclose_referenced_issues: flag('Whether merging into the default branch closes the issues that are mentioned with a closing word'),
  approvals_before_merge: onTier('premium', integer('Number of approvals that are required; null: as the project says')),
  issues_template: onTier('premium', Nullable(text('Text that new issues begin with; null where there is none'))),
  merge_requests_template: onTier('premium', Nullable(text('Text that new merge requests begin with; null where there is none'))),
  mirror: onTier('premium', flag('Whether the project pulls from another repository')),
  mirror_user_id: onTier('premium', Nullable(integer('ID of the user who pulls; null where no mirror is set'))),
  mirror_trigger_builds: onTier('premium', flag('Whether pulling starts pipelines')),
  only_mirror_protected_branches: onTier('premium', flag('Whether only protected branches are pulled')),
  mirror_overwrites_diverged_branches: onTier('premium', flag('Whether pulling overwrites branches that differ')),
  external_authorization_classification_label: onTier(
    'premium',
    Nullable(text('Label for an external authorization service; null where there is none')),
  ),
  marked_for_deletion_at: onTier('premium', Nullable(Day('Day on which it was marked for deletion; null where it is not'))),
  marked_for_deletion_on: onTier('premium', Nullable(Day('Day on which it was marked for deletion; null where it is not'))),
  repository_storage: optional(text('Name of the storage')),
  repository_size_limit: optional(Nullable(integer('Most bytes of the repository and its files; null: as the instance says'))),
  shared_with_groups: described('Groups that it is shared with', sharedWithGroups),
  permissions: described(
    'What the caller may do here',
    Type.Object({
      project_access: described("Role by the project's own membership; null where there is none", Access),
      group_access: described('Role of the members of the group; null for who is none', Access),
    }),
  ),
}

/** On request, for members from Reporter up. */
export const statisticsField = {
  statistics: optional(
    described(
      'Numbers',
      Type.Object({
        commit_count: integer('Number of commits'),
        storage_size: integer('Size of all that is stored, in bytes'),
        repository_size: integer('Size of the repository, in bytes'),
        wiki_size: integer('Size of the wiki, in bytes'),
        lfs_objects_size: integer('Size of LFS objects, in bytes'),
        job_artifacts_size: integer('Size of artifacts, and of the archive of the site, in bytes'),
        packages_size: integer('Size of packages, in bytes'),
        snippets_size: integer('Size of snippets, in bytes'),
      }),
    ),
  ),
}

/** On request; null without a licence, and for users who may not read the code. */
export const licenseFields = {
  license_url: Nullable(text('Address of the licence file; null where there is none')),
  license: Nullable(described('The licence; null where none was found', License)),
}
