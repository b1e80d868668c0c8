create extension btree_gin;

create extension pg_trgm;

create table audit_events (
  id bigint generated always as identity not null,
  author_id bigint,
  author_name text not null,
  entity_type text not null,
  entity_id bigint not null,
  entity_path text not null,
  target_type text not null,
  target_id bigint not null,
  target_details text not null,
  details jsonb not null,
  ip_address text not null,
  created_at timestamp with time zone default now() not null,
  constraint audit_events_pkey PRIMARY KEY (id),
  constraint audit_events_entity_type_check CHECK ((entity_type = ANY (ARRAY['User'::text, 'Group'::text, 'Project'::text]))),
  constraint audit_events_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX audit_events_author ON audit_events USING btree (author_id);
CREATE INDEX audit_events_created_at ON audit_events USING btree (created_at);
CREATE INDEX audit_events_entity ON audit_events USING btree (entity_type, entity_id, id);

create table emails (
  id bigint generated always as identity not null,
  user_id bigint not null,
  email text not null,
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint emails_pkey PRIMARY KEY (id),
  constraint emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX emails_email_key ON emails USING btree (lower(email));
CREATE INDEX emails_user ON emails USING btree (user_id);

create table events (
  id bigint generated always as identity not null,
  kind text not null,
  payload jsonb not null,
  actor_id bigint,
  project_id bigint,
  namespace_id bigint,
  created_at timestamp with time zone default now() not null,
  constraint events_pkey PRIMARY KEY (id),
  constraint events_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint events_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint events_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX events_actor ON events USING btree (actor_id, id DESC);
CREATE INDEX events_namespace ON events USING btree (namespace_id);
CREATE INDEX events_project ON events USING btree (project_id, id DESC);

create table feature_flags (
  name text not null,
  gates jsonb default '[]'::jsonb not null,
  constraint feature_flags_pkey PRIMARY KEY (name)
);

create table identities (
  id bigint generated always as identity not null,
  user_id bigint not null,
  provider text not null,
  extern_uid text not null,
  created_at timestamp with time zone default now() not null,
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_provider_extern_uid_key UNIQUE (provider, extern_uid),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX identities_user ON identities USING btree (user_id);

create table keys (
  id bigint generated always as identity not null,
  user_id bigint not null,
  title text not null,
  key text not null,
  fingerprint text not null,
  fingerprint_sha256 text not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint keys_pkey PRIMARY KEY (id),
  constraint keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX keys_fingerprint_sha256_key ON keys USING btree (fingerprint_sha256);
CREATE INDEX keys_user ON keys USING btree (user_id);

create table members (
  id bigint generated always as identity not null,
  user_id bigint not null,
  namespace_id bigint,
  project_id bigint,
  access_level integer not null,
  expires_at date,
  created_by_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint members_pkey PRIMARY KEY (id),
  constraint members_namespace_id_user_id_key UNIQUE (namespace_id, user_id),
  constraint members_project_id_user_id_key UNIQUE (project_id, user_id),
  constraint members_access_level_check CHECK ((access_level = ANY (ARRAY[5, 10, 20, 30, 40, 50]))),
  constraint members_check CHECK ((num_nonnulls(namespace_id, project_id) = 1)),
  constraint members_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint members_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint members_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX members_created_by ON members USING btree (created_by_id);
CREATE INDEX members_expires_at ON members USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX members_user ON members USING btree (user_id);

create table namespaces (
  id bigint generated always as identity not null,
  kind text not null,
  parent_id bigint,
  owner_id bigint,
  traversal_ids bigint[] default '{}'::bigint[] not null,
  name text not null,
  path text not null,
  description text default ''::text not null,
  visibility text default 'private'::text not null,
  share_with_group_lock boolean default false not null,
  require_two_factor_authentication boolean default false not null,
  two_factor_grace_period integer default 48 not null,
  project_creation_level text default 'developer'::text not null,
  subgroup_creation_level text default 'maintainer'::text not null,
  auto_devops_enabled boolean,
  emails_disabled boolean,
  mentions_disabled boolean,
  lfs_enabled boolean default true not null,
  request_access_enabled boolean default true not null,
  default_branch_protection integer default 2 not null,
  membership_lock boolean default false not null,
  prevent_forking_outside_group boolean,
  file_template_project_id bigint,
  shared_runners_minutes_limit integer,
  extra_shared_runners_minutes_limit integer,
  shared_runners_setting text default 'enabled'::text not null,
  avatar_url text,
  marked_for_deletion_on date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint namespaces_pkey PRIMARY KEY (id),
  constraint namespaces_check CHECK (((kind = 'user'::text) = (owner_id IS NOT NULL))),
  constraint namespaces_check1 CHECK (((kind = 'group'::text) OR (parent_id IS NULL))),
  constraint namespaces_default_branch_protection_check CHECK (((default_branch_protection >= 0) AND (default_branch_protection <= 3))),
  constraint namespaces_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'group'::text]))),
  constraint namespaces_project_creation_level_check CHECK ((project_creation_level = ANY (ARRAY['noone'::text, 'maintainer'::text, 'developer'::text]))),
  constraint namespaces_shared_runners_setting_check CHECK ((shared_runners_setting = ANY (ARRAY['enabled'::text, 'disabled_with_override'::text, 'disabled_and_unoverridable'::text]))),
  constraint namespaces_subgroup_creation_level_check CHECK ((subgroup_creation_level = ANY (ARRAY['owner'::text, 'maintainer'::text]))),
  constraint namespaces_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'internal'::text, 'public'::text]))),
  constraint namespaces_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint namespaces_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES namespaces(id)
);
CREATE UNIQUE INDEX namespaces_group_name_key ON namespaces USING btree (COALESCE(parent_id, (0)::bigint), name) WHERE (kind = 'group'::text);
CREATE INDEX namespaces_name_trgm ON namespaces USING gin (name gin_trgm_ops);
CREATE UNIQUE INDEX namespaces_owner_key ON namespaces USING btree (owner_id);
CREATE INDEX namespaces_parent ON namespaces USING btree (parent_id);
CREATE INDEX namespaces_path_trgm ON namespaces USING gin (path gin_trgm_ops);
CREATE INDEX namespaces_traversal_ids ON namespaces USING gin (traversal_ids);

create table oauth_access_tokens (
  id bigint generated always as identity not null,
  application_id bigint,
  user_id bigint,
  digest text not null,
  refresh_digest text,
  scopes text[] not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  family_id uuid default gen_random_uuid() not null,
  constraint oauth_access_tokens_pkey PRIMARY KEY (id),
  constraint oauth_access_tokens_digest_key UNIQUE (digest),
  constraint oauth_access_tokens_refresh_digest_key UNIQUE (refresh_digest),
  constraint oauth_access_tokens_application_id_fkey FOREIGN KEY (application_id) REFERENCES oauth_applications(id) ON DELETE CASCADE,
  constraint oauth_access_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oauth_access_tokens_application ON oauth_access_tokens USING btree (application_id);
CREATE INDEX oauth_access_tokens_family ON oauth_access_tokens USING btree (family_id);
CREATE INDEX oauth_access_tokens_user ON oauth_access_tokens USING btree (user_id);

create table oauth_applications (
  id bigint generated always as identity not null,
  uid text not null,
  secret_digest text not null,
  name text not null,
  redirect_uri text not null,
  scopes text[] not null,
  confidential boolean default true not null,
  trusted boolean default false not null,
  owner_id bigint,
  created_at timestamp with time zone default now() not null,
  constraint oauth_applications_pkey PRIMARY KEY (id),
  constraint oauth_applications_uid_key UNIQUE (uid),
  constraint oauth_applications_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oauth_applications_owner ON oauth_applications USING btree (owner_id);

create table oauth_authorization_codes (
  id bigint generated always as identity not null,
  application_id bigint not null,
  user_id bigint not null,
  digest text not null,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text,
  code_challenge_method text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  family_id uuid default gen_random_uuid() not null,
  used_at timestamp with time zone,
  constraint oauth_authorization_codes_pkey PRIMARY KEY (id),
  constraint oauth_authorization_codes_digest_key UNIQUE (digest),
  constraint oauth_authorization_codes_application_id_fkey FOREIGN KEY (application_id) REFERENCES oauth_applications(id) ON DELETE CASCADE,
  constraint oauth_authorization_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oauth_authorization_codes_application ON oauth_authorization_codes USING btree (application_id);
CREATE INDEX oauth_authorization_codes_user ON oauth_authorization_codes USING btree (user_id);

create table personal_access_tokens (
  id bigint generated always as identity not null,
  user_id bigint not null,
  name text not null,
  digest text not null,
  scopes text[] not null,
  impersonation boolean default false not null,
  revoked boolean default false not null,
  expires_at date,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint personal_access_tokens_pkey PRIMARY KEY (id),
  constraint personal_access_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX personal_access_tokens_digest_key ON personal_access_tokens USING btree (digest);
CREATE INDEX personal_access_tokens_user ON personal_access_tokens USING btree (user_id);

create table project_bots (
  user_id bigint not null,
  project_id bigint not null,
  constraint project_bots_pkey PRIMARY KEY (user_id),
  constraint project_bots_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint project_bots_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX project_bots_project ON project_bots USING btree (project_id);

create table projects (
  id bigint generated always as identity not null,
  namespace_id bigint not null,
  creator_id bigint,
  name text not null,
  path text not null,
  description text,
  visibility text default 'private'::text not null,
  default_branch text,
  topics text[] default '{}'::text[] not null,
  archived boolean default false not null,
  empty_repo boolean default true not null,
  readme_path text,
  star_count integer default 0 not null,
  forks_count integer default 0 not null,
  open_issues_count integer default 0 not null,
  avatar_url text,
  repository_storage text default 'default'::text not null,
  import_status text default 'none'::text not null,
  import_error text,
  import_url text,
  marked_for_deletion_on date,
  issues_access_level text default 'enabled'::text not null,
  repository_access_level text default 'enabled'::text not null,
  merge_requests_access_level text default 'enabled'::text not null,
  forking_access_level text default 'enabled'::text not null,
  wiki_access_level text default 'enabled'::text not null,
  builds_access_level text default 'enabled'::text not null,
  snippets_access_level text default 'enabled'::text not null,
  analytics_access_level text default 'enabled'::text not null,
  operations_access_level text default 'enabled'::text not null,
  pages_access_level text default 'private'::text not null,
  requirements_access_level text default 'enabled'::text not null,
  container_registry_enabled boolean default true not null,
  container_expiration_policy jsonb default '{"keep_n": 10, "cadence": "1d", "enabled": false, "name_regex": ".*", "older_than": "90d", "next_run_at": null, "name_regex_keep": null}'::jsonb not null,
  packages_enabled boolean default true not null,
  service_desk_enabled boolean default false not null,
  shared_runners_enabled boolean default true not null,
  lfs_enabled boolean default true not null,
  emails_disabled boolean default false not null,
  request_access_enabled boolean default true not null,
  public_jobs boolean default true not null,
  show_default_award_emojis boolean default true not null,
  keep_latest_artifact boolean default true not null,
  merge_method text default 'merge'::text not null,
  squash_option text default 'default_off'::text not null,
  only_allow_merge_if_pipeline_succeeds boolean default false not null,
  allow_merge_on_skipped_pipeline boolean default false not null,
  only_allow_merge_if_all_discussions_are_resolved boolean default false not null,
  remove_source_branch_after_merge boolean default true not null,
  resolve_outdated_diff_discussions boolean default false not null,
  printing_merge_request_link_enabled boolean default true not null,
  autoclose_referenced_issues boolean default true not null,
  suggestion_commit_message text,
  approvals_before_merge integer default 0 not null,
  issues_template text,
  merge_requests_template text,
  restrict_user_defined_variables boolean default false not null,
  ci_default_git_depth integer default 50,
  ci_forward_deployment_enabled boolean default true not null,
  build_timeout integer default 3600 not null,
  auto_cancel_pending_pipelines text default 'enabled'::text not null,
  build_coverage_regex text,
  build_git_strategy text default 'fetch'::text not null,
  ci_config_path text,
  auto_devops_enabled boolean default false not null,
  auto_devops_deploy_strategy text default 'continuous'::text not null,
  mirror boolean default false not null,
  mirror_user_id bigint,
  mirror_trigger_builds boolean default false not null,
  only_mirror_protected_branches boolean default false not null,
  mirror_overwrites_diverged_branches boolean default false not null,
  external_authorization_classification_label text,
  last_activity_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint projects_pkey PRIMARY KEY (id),
  constraint projects_analytics_access_level_check CHECK ((analytics_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_approvals_before_merge_check CHECK ((approvals_before_merge >= 0)),
  constraint projects_auto_cancel_pending_pipelines_check CHECK ((auto_cancel_pending_pipelines = ANY (ARRAY['enabled'::text, 'disabled'::text]))),
  constraint projects_auto_devops_deploy_strategy_check CHECK ((auto_devops_deploy_strategy = ANY (ARRAY['continuous'::text, 'manual'::text, 'timed_incremental'::text]))),
  constraint projects_build_git_strategy_check CHECK ((build_git_strategy = ANY (ARRAY['fetch'::text, 'clone'::text]))),
  constraint projects_builds_access_level_check CHECK ((builds_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_ci_default_git_depth_check CHECK (((ci_default_git_depth >= 0) AND (ci_default_git_depth <= 1000))),
  constraint projects_forking_access_level_check CHECK ((forking_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_import_status_check CHECK ((import_status = ANY (ARRAY['none'::text, 'scheduled'::text, 'started'::text, 'finished'::text, 'failed'::text]))),
  constraint projects_issues_access_level_check CHECK ((issues_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_merge_method_check CHECK ((merge_method = ANY (ARRAY['merge'::text, 'rebase_merge'::text, 'ff'::text]))),
  constraint projects_merge_requests_access_level_check CHECK ((merge_requests_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_operations_access_level_check CHECK ((operations_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_pages_access_level_check CHECK ((pages_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text, 'public'::text]))),
  constraint projects_repository_access_level_check CHECK ((repository_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_requirements_access_level_check CHECK ((requirements_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text, 'public'::text]))),
  constraint projects_snippets_access_level_check CHECK ((snippets_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_squash_option_check CHECK ((squash_option = ANY (ARRAY['never'::text, 'always'::text, 'default_on'::text, 'default_off'::text]))),
  constraint projects_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'internal'::text, 'public'::text]))),
  constraint projects_wiki_access_level_check CHECK ((wiki_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint projects_mirror_user_id_fkey FOREIGN KEY (mirror_user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint projects_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id)
);
CREATE INDEX projects_created_at ON projects USING btree (created_at, id);
CREATE INDEX projects_creator ON projects USING btree (creator_id);
CREATE INDEX projects_description_trgm ON projects USING gin (description gin_trgm_ops);
CREATE INDEX projects_last_activity_at ON projects USING btree (last_activity_at, id);
CREATE INDEX projects_mirror_user ON projects USING btree (mirror_user_id);
CREATE INDEX projects_name ON projects USING btree (lower(name), id);
CREATE UNIQUE INDEX projects_name_key ON projects USING btree (namespace_id, name);
CREATE INDEX projects_name_trgm ON projects USING gin (name gin_trgm_ops);
CREATE INDEX projects_open_to_all ON projects USING btree (id) WHERE (visibility <> 'private'::text);
CREATE INDEX projects_path ON projects USING btree (lower(path), id);
CREATE INDEX projects_path_trgm ON projects USING gin (path gin_trgm_ops);
CREATE INDEX projects_topics ON projects USING gin (topics);
CREATE INDEX projects_updated_at ON projects USING btree (updated_at, id);
CREATE INDEX projects_visible ON projects USING btree (visibility, namespace_id, id) INCLUDE (archived);

create table protected_branch_access_levels (
  id bigint generated always as identity not null,
  protected_branch_id bigint not null,
  action text not null,
  access_level integer default 40 not null,
  user_id bigint,
  group_id bigint,
  constraint protected_branch_access_levels_pkey PRIMARY KEY (id),
  constraint protected_branch_access_levels_access_level_check CHECK ((access_level = ANY (ARRAY[0, 30, 40, 60]))),
  constraint protected_branch_access_levels_action_check CHECK ((action = ANY (ARRAY['push'::text, 'merge'::text, 'unprotect'::text]))),
  constraint protected_branch_access_levels_check CHECK ((num_nonnulls(user_id, group_id) <= 1)),
  constraint protected_branch_access_levels_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint protected_branch_access_levels_protected_branch_id_fkey FOREIGN KEY (protected_branch_id) REFERENCES protected_branches(id) ON DELETE CASCADE,
  constraint protected_branch_access_levels_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX protected_branch_access_levels_branch ON protected_branch_access_levels USING btree (protected_branch_id);
CREATE INDEX protected_branch_access_levels_group ON protected_branch_access_levels USING btree (group_id);
CREATE INDEX protected_branch_access_levels_user ON protected_branch_access_levels USING btree (user_id);

create table protected_branches (
  id bigint generated always as identity not null,
  project_id bigint not null,
  name text not null,
  allow_force_push boolean default false not null,
  code_owner_approval_required boolean default false not null,
  created_at timestamp with time zone default now() not null,
  constraint protected_branches_pkey PRIMARY KEY (id),
  constraint protected_branches_project_id_name_key UNIQUE (project_id, name),
  constraint protected_branches_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

create table provisioned_users (
  user_id bigint not null,
  group_id bigint not null,
  constraint provisioned_users_pkey PRIMARY KEY (user_id),
  constraint provisioned_users_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint provisioned_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX provisioned_users_group ON provisioned_users USING btree (group_id);

create table reference_intents (
  id bigint generated always as identity not null,
  project_id bigint not null,
  actor_id bigint,
  moves jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint reference_intents_pkey PRIMARY KEY (id),
  constraint reference_intents_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint reference_intents_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX reference_intents_actor ON reference_intents USING btree (actor_id);
CREATE INDEX reference_intents_created_at ON reference_intents USING btree (created_at);
CREATE INDEX reference_intents_project ON reference_intents USING btree (project_id);

create table routes (
  id bigint generated always as identity not null,
  namespace_id bigint,
  project_id bigint,
  path text not null,
  name text not null,
  constraint routes_pkey PRIMARY KEY (id),
  constraint routes_namespace_id_key UNIQUE (namespace_id),
  constraint routes_project_id_key UNIQUE (project_id),
  constraint routes_check CHECK ((num_nonnulls(namespace_id, project_id) = 1)),
  constraint routes_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint routes_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX routes_path_key ON routes USING btree (lower(path));
CREATE INDEX routes_path_prefix ON routes USING btree (lower(path) text_pattern_ops);

create table scim_identities (
  id bigint generated always as identity not null,
  group_id bigint not null,
  user_id bigint not null,
  extern_uid text not null,
  user_name text not null,
  active boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint scim_identities_pkey PRIMARY KEY (id),
  constraint scim_identities_extern_uid_key UNIQUE (group_id, extern_uid),
  constraint scim_identities_user_key UNIQUE (group_id, user_id),
  constraint scim_identities_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint scim_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX scim_identities_active ON scim_identities USING btree (group_id, id) WHERE active;
CREATE INDEX scim_identities_user ON scim_identities USING btree (user_id);
CREATE INDEX scim_identities_user_name ON scim_identities USING btree (group_id, lower(user_name));

create table scim_tokens (
  group_id bigint not null,
  digest text not null,
  default_membership_role integer default 10 not null,
  created_at timestamp with time zone default now() not null,
  constraint scim_tokens_pkey PRIMARY KEY (group_id),
  constraint scim_tokens_digest_key UNIQUE (digest),
  constraint scim_tokens_default_membership_role_check CHECK ((default_membership_role = ANY (ARRAY[10, 20, 30, 40, 50]))),
  constraint scim_tokens_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE
);

create table sessions (
  id bigint generated always as identity not null,
  digest text not null,
  user_id bigint not null,
  ip_address text,
  user_agent text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_digest_key UNIQUE (digest),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_expires_at ON sessions USING btree (expires_at);
CREATE INDEX sessions_user ON sessions USING btree (user_id);

create table user_statuses (
  user_id bigint not null,
  emoji text default 'speech_balloon'::text not null,
  message text default ''::text not null,
  availability text default 'not_set'::text not null,
  clear_status_at timestamp with time zone,
  constraint user_statuses_pkey PRIMARY KEY (user_id),
  constraint user_statuses_availability_check CHECK ((availability = ANY (ARRAY['not_set'::text, 'busy'::text]))),
  constraint user_statuses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table users (
  id bigint generated always as identity not null,
  username text not null,
  name text not null,
  email text not null,
  commit_email text,
  password_digest text,
  state text default 'active'::text not null,
  kind text default 'human'::text not null,
  admin boolean default false not null,
  auditor boolean default false not null,
  external boolean default false not null,
  private_profile boolean default false not null,
  can_create_group boolean default true not null,
  projects_limit integer default 100000 not null,
  bio text,
  location text,
  public_email text default ''::text not null,
  skype text default ''::text not null,
  linkedin text default ''::text not null,
  twitter text default ''::text not null,
  website_url text default ''::text not null,
  organization text,
  job_title text default ''::text not null,
  pronouns text,
  note text,
  avatar_url text,
  theme_id integer default 1 not null,
  color_scheme_id integer default 1 not null,
  shared_runners_minutes_limit integer,
  extra_shared_runners_minutes_limit integer,
  sign_in_count integer default 0 not null,
  current_sign_in_at timestamp with time zone,
  current_sign_in_ip text,
  last_sign_in_at timestamp with time zone,
  last_sign_in_ip text,
  last_activity_on date,
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_kind_check CHECK ((kind = ANY (ARRAY['human'::text, 'project_bot'::text, 'ghost'::text]))),
  constraint users_state_check CHECK ((state = ANY (ARRAY['active'::text, 'blocked'::text, 'banned'::text, 'deactivated'::text, 'blocked_pending_approval'::text])))
);
CREATE INDEX users_created_at ON users USING btree (created_at, id);
CREATE UNIQUE INDEX users_email_key ON users USING btree (lower(email));
CREATE INDEX users_name_trgm ON users USING gin (name gin_trgm_ops);
CREATE UNIQUE INDEX users_username_key ON users USING btree (lower(username));
CREATE INDEX users_username_trgm ON users USING gin (username gin_trgm_ops);
