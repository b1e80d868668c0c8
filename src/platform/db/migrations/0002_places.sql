-- Namespaces (groups and the personal ones), projects, their paths, their members, and what protects their branches.

create table namespaces (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('user', 'group')),
  parent_id bigint references namespaces,
  owner_id bigint references users,
  -- The ids from the root down to this one, this one included: inheritance is one array operation.
  traversal_ids bigint[] not null default '{}',
  name text not null,
  path text not null,
  description text not null default '',
  visibility text not null default 'private' check (visibility in ('private', 'internal', 'public')),
  share_with_group_lock boolean not null default false,
  require_two_factor_authentication boolean not null default false,
  two_factor_grace_period integer not null default 48,
  project_creation_level text not null default 'developer' check (project_creation_level in ('noone', 'maintainer', 'developer')),
  subgroup_creation_level text not null default 'maintainer' check (subgroup_creation_level in ('owner', 'maintainer')),
  auto_devops_enabled boolean,
  emails_disabled boolean,
  mentions_disabled boolean,
  lfs_enabled boolean not null default true,
  request_access_enabled boolean not null default true,
  default_branch_protection integer not null default 2 check (default_branch_protection between 0 and 3),
  membership_lock boolean not null default false,
  prevent_forking_outside_group boolean,
  file_template_project_id bigint,
  shared_runners_minutes_limit integer,
  extra_shared_runners_minutes_limit integer,
  shared_runners_setting text not null default 'enabled'
    check (shared_runners_setting in ('enabled', 'disabled_with_override', 'disabled_and_unoverridable')),
  avatar_url text,
  marked_for_deletion_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'user') = (owner_id is not null)),
  check (kind = 'group' or parent_id is null)
);
create index namespaces_traversal_ids on namespaces using gin (traversal_ids);
create index namespaces_parent on namespaces (parent_id);
create unique index namespaces_owner_key on namespaces (owner_id);
create index namespaces_name_trgm on namespaces using gin (name gin_trgm_ops);
create index namespaces_path_trgm on namespaces using gin (path gin_trgm_ops);

create table projects (
  id bigint generated always as identity primary key,
  namespace_id bigint not null references namespaces,
  creator_id bigint references users on delete set null,
  name text not null,
  path text not null,
  description text,
  visibility text not null default 'private' check (visibility in ('private', 'internal', 'public')),
  default_branch text,
  topics text[] not null default '{}',
  archived boolean not null default false,
  empty_repo boolean not null default true,
  -- The README at the top of the default branch, as of its last move.
  readme_path text,
  star_count integer not null default 0,
  forks_count integer not null default 0,
  open_issues_count integer not null default 0,
  avatar_url text,
  repository_storage text not null default 'default',
  import_status text not null default 'none' check (import_status in ('none', 'scheduled', 'started', 'finished', 'failed')),
  import_error text,
  import_url text,
  marked_for_deletion_on date,

  issues_access_level text not null default 'enabled' check (issues_access_level in ('disabled', 'private', 'enabled')),
  repository_access_level text not null default 'enabled' check (repository_access_level in ('disabled', 'private', 'enabled')),
  merge_requests_access_level text not null default 'enabled' check (merge_requests_access_level in ('disabled', 'private', 'enabled')),
  forking_access_level text not null default 'enabled' check (forking_access_level in ('disabled', 'private', 'enabled')),
  wiki_access_level text not null default 'enabled' check (wiki_access_level in ('disabled', 'private', 'enabled')),
  builds_access_level text not null default 'enabled' check (builds_access_level in ('disabled', 'private', 'enabled')),
  snippets_access_level text not null default 'enabled' check (snippets_access_level in ('disabled', 'private', 'enabled')),
  analytics_access_level text not null default 'enabled' check (analytics_access_level in ('disabled', 'private', 'enabled')),
  operations_access_level text not null default 'enabled' check (operations_access_level in ('disabled', 'private', 'enabled')),
  pages_access_level text not null default 'private' check (pages_access_level in ('disabled', 'private', 'enabled', 'public')),
  requirements_access_level text not null default 'enabled' check (requirements_access_level in ('disabled', 'private', 'enabled', 'public')),

  container_registry_enabled boolean not null default true,
  container_expiration_policy jsonb not null
    default '{"cadence": "1d", "enabled": false, "keep_n": 10, "older_than": "90d", "name_regex": ".*", "name_regex_keep": null, "next_run_at": null}',
  packages_enabled boolean not null default true,
  service_desk_enabled boolean not null default false,
  shared_runners_enabled boolean not null default true,
  lfs_enabled boolean not null default true,
  emails_disabled boolean not null default false,
  request_access_enabled boolean not null default true,
  public_jobs boolean not null default true,
  show_default_award_emojis boolean not null default true,
  keep_latest_artifact boolean not null default true,

  merge_method text not null default 'merge' check (merge_method in ('merge', 'rebase_merge', 'ff')),
  squash_option text not null default 'default_off' check (squash_option in ('never', 'always', 'default_on', 'default_off')),
  only_allow_merge_if_pipeline_succeeds boolean not null default false,
  allow_merge_on_skipped_pipeline boolean not null default false,
  only_allow_merge_if_all_discussions_are_resolved boolean not null default false,
  remove_source_branch_after_merge boolean not null default true,
  resolve_outdated_diff_discussions boolean not null default false,
  printing_merge_request_link_enabled boolean not null default true,
  autoclose_referenced_issues boolean not null default true,
  suggestion_commit_message text,
  approvals_before_merge integer not null default 0 check (approvals_before_merge >= 0),
  issues_template text,
  merge_requests_template text,

  restrict_user_defined_variables boolean not null default false,
  ci_default_git_depth integer default 50 check (ci_default_git_depth between 0 and 1000),
  ci_forward_deployment_enabled boolean not null default true,
  build_timeout integer not null default 3600,
  auto_cancel_pending_pipelines text not null default 'enabled' check (auto_cancel_pending_pipelines in ('enabled', 'disabled')),
  build_coverage_regex text,
  build_git_strategy text not null default 'fetch' check (build_git_strategy in ('fetch', 'clone')),
  ci_config_path text,
  auto_devops_enabled boolean not null default false,
  auto_devops_deploy_strategy text not null default 'continuous'
    check (auto_devops_deploy_strategy in ('continuous', 'manual', 'timed_incremental')),

  mirror boolean not null default false,
  mirror_user_id bigint references users on delete set null,
  mirror_trigger_builds boolean not null default false,
  only_mirror_protected_branches boolean not null default false,
  mirror_overwrites_diverged_branches boolean not null default false,
  external_authorization_classification_label text,

  last_activity_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index projects_namespace on projects (namespace_id);
create index projects_creator on projects (creator_id);
create index projects_mirror_user on projects (mirror_user_id);
create index projects_created_at on projects (created_at, id);
create index projects_updated_at on projects (updated_at, id);
create index projects_last_activity_at on projects (last_activity_at, id);
create index projects_name on projects (lower(name), id);
create index projects_path on projects (lower(path), id);
create index projects_name_trgm on projects using gin (name gin_trgm_ops);
create index projects_path_trgm on projects using gin (path gin_trgm_ops);
create index projects_description_trgm on projects using gin (description gin_trgm_ops);
create index projects_topics on projects using gin (topics);
create index projects_open_to_all on projects (id) where visibility <> 'private';

-- One row per group, personal namespace and project: the full path and the full name ("A / B"). A path leads to one thing.
create table routes (
  id bigint generated always as identity primary key,
  namespace_id bigint unique references namespaces on delete cascade,
  project_id bigint unique references projects on delete cascade,
  path text not null,
  name text not null,
  check (num_nonnulls(namespace_id, project_id) = 1)
);
create unique index routes_path_key on routes (lower(path));
create index routes_path_prefix on routes (lower(path) text_pattern_ops);

create table members (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  project_id bigint references projects on delete cascade,
  access_level integer not null check (access_level in (5, 10, 20, 30, 40, 50)),
  expires_at date,
  created_by_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(namespace_id, project_id) = 1),
  unique (namespace_id, user_id),
  unique (project_id, user_id)
);
create index members_user on members (user_id);
create index members_expires_at on members (expires_at) where expires_at is not null;
create index members_created_by on members (created_by_id);

-- The project that a bot user's tokens belong to (project access tokens).
create table project_bots (
  user_id bigint primary key references users on delete cascade,
  project_id bigint not null references projects on delete cascade
);
create index project_bots_project on project_bots (project_id);

create table protected_branches (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- A branch name, or a pattern with `*`.
  name text not null,
  allow_force_push boolean not null default false,
  code_owner_approval_required boolean not null default false,
  created_at timestamptz not null default now(),
  unique (project_id, name)
);

-- Who may push to, merge into or unprotect a protected branch; access_level 0 is no one.
create table protected_branch_access_levels (
  id bigint generated always as identity primary key,
  protected_branch_id bigint not null references protected_branches on delete cascade,
  action text not null check (action in ('push', 'merge', 'unprotect')),
  access_level integer not null default 40 check (access_level in (0, 30, 40, 60)),
  user_id bigint references users on delete cascade,
  group_id bigint references namespaces on delete cascade,
  check (num_nonnulls(user_id, group_id) <= 1)
);
create index protected_branch_access_levels_branch on protected_branch_access_levels (protected_branch_id);
create index protected_branch_access_levels_user on protected_branch_access_levels (user_id);
create index protected_branch_access_levels_group on protected_branch_access_levels (group_id);
