create extension btree_gin;

create extension pg_trgm;

create table access_requests (
  id bigint generated always as identity not null,
  user_id bigint not null,
  namespace_id bigint,
  project_id bigint,
  created_at timestamp with time zone default now() not null,
  constraint access_requests_pkey PRIMARY KEY (id),
  constraint access_requests_namespace_id_user_id_key UNIQUE (namespace_id, user_id),
  constraint access_requests_project_id_user_id_key UNIQUE (project_id, user_id),
  constraint access_requests_check CHECK ((num_nonnulls(namespace_id, project_id) = 1)),
  constraint access_requests_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint access_requests_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint access_requests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX access_requests_user ON access_requests USING btree (user_id);

create table account_exports (
  user_id bigint not null,
  state text not null,
  request_key text not null,
  error text,
  object_id bigint,
  filename text,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint account_exports_pkey PRIMARY KEY (user_id),
  constraint account_exports_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'started'::text, 'finished'::text, 'failed'::text]))),
  constraint account_exports_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint account_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX account_exports_object ON account_exports USING btree (object_id);

create table appearance (
  id integer default 1 not null,
  title text default ''::text not null,
  description text default ''::text not null,
  new_project_guidelines text default ''::text not null,
  profile_image_guidelines text default ''::text not null,
  header_message text default ''::text not null,
  footer_message text default ''::text not null,
  message_background_color text default '#E75E40'::text not null,
  message_font_color text default '#FFFFFF'::text not null,
  email_header_and_footer_enabled boolean default false not null,
  updated_at timestamp with time zone default now() not null,
  constraint appearance_pkey PRIMARY KEY (id),
  constraint appearance_id_check CHECK ((id = 1))
);

create table appearance_images (
  kind text not null,
  object_id bigint not null,
  filename text not null,
  media_type text not null,
  constraint appearance_images_pkey PRIMARY KEY (kind),
  constraint appearance_images_kind_check CHECK ((kind = ANY (ARRAY['logo'::text, 'header_logo'::text, 'favicon'::text]))),
  constraint appearance_images_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id)
);
CREATE INDEX appearance_images_object_id ON appearance_images USING btree (object_id);

create table application_settings (
  id boolean default true not null,
  default_project_visibility text default 'private'::text not null,
  default_group_visibility text default 'private'::text not null,
  updated_at timestamp with time zone default now() not null,
  receive_max_input_size integer default 0 not null,
  repository_size_limit integer default 0 not null,
  scim_provisioning text default 'administrators'::text not null,
  scim_accounts_per_group integer default 1000 not null,
  scim_email_domains text[] default '{}'::text[] not null,
  scim_existing_users text default 'members'::text not null,
  oauth_access_token_lifetime integer default 7200 not null,
  oauth_refresh_token_lifetime integer default 90 not null,
  max_oauth_grant_lifetime integer default 365 not null,
  session_expire_delay integer default 10080 not null,
  max_session_lifetime integer default 30 not null,
  max_personal_access_token_lifetime integer,
  max_ssh_key_lifetime integer,
  max_deploy_token_lifetime integer,
  max_trigger_token_lifetime integer,
  max_scim_token_lifetime integer,
  audit_events_retention_days integer default 0 not null,
  max_registration_token_lifetime integer,
  runner_token_expiration_interval integer,
  group_runner_token_expiration_interval integer,
  project_runner_token_expiration_interval integer,
  max_application_secret_lifetime integer,
  scim_accounts_per_owner integer default 1000 not null,
  signup_enabled boolean default true not null,
  require_admin_approval_after_user_signup boolean default true not null,
  domain_allowlist text[] default '{}'::text[] not null,
  domain_denylist_enabled boolean default false not null,
  domain_denylist text[] default '{}'::text[] not null,
  created_at timestamp with time zone default now() not null,
  inert jsonb default '{}'::jsonb not null,
  default_projects_limit integer default 100000 not null,
  user_default_external boolean default false not null,
  minimum_password_length integer default 8 not null,
  rsa_key_restriction integer default 0 not null,
  dsa_key_restriction integer default 0 not null,
  ecdsa_key_restriction integer default 0 not null,
  ed25519_key_restriction integer default 0 not null,
  ecdsa_sk_key_restriction integer default 0 not null,
  ed25519_sk_key_restriction integer default 0 not null,
  personal_access_token_prefix text default ''::text not null,
  default_branch_name text,
  default_branch_protection integer default 2 not null,
  default_project_creation integer default 2 not null,
  restricted_visibility_levels text[] default '{}'::text[] not null,
  default_ci_config_path text,
  shared_runners_enabled boolean default true not null,
  default_artifacts_expire_in text default '30 days'::text not null,
  max_artifacts_size integer default 0 not null,
  keep_latest_artifact boolean default true not null,
  max_attachment_size integer default 100 not null,
  enabled_git_access_protocol text,
  password_authentication_enabled_for_git boolean default true not null,
  allow_local_requests_from_web_hooks_and_services boolean default false not null,
  allow_local_requests_from_system_hooks boolean default false not null,
  outbound_local_requests_whitelist text[] default '{}'::text[] not null,
  home_page_url text,
  after_sign_out_path text,
  sign_in_text text,
  after_sign_up_text text,
  help_page_text text,
  help_page_support_url text,
  shared_runners_text text,
  email_additional_text text,
  html_emails_enabled boolean default true not null,
  require_two_factor_authentication boolean default false not null,
  require_admin_two_factor_authentication boolean default false not null,
  two_factor_grace_period integer default 48 not null,
  password_authentication_enabled_for_web boolean default true not null,
  send_user_confirmation_email boolean default true not null,
  daily_invitations_per_user integer default 200 not null,
  daily_invitations_per_instance integer default 5000 not null,
  max_invitation_lifetime integer default 30,
  snippet_size_limit bigint default 52428800 not null,
  default_snippet_visibility text default 'private'::text not null,
  container_registry_token_expire_delay integer default 5 not null,
  max_pages_size integer default 100 not null,
  pages_domain_verification_enabled boolean default true not null,
  project_export_enabled boolean default true not null,
  import_sources text[] default '{github,bitbucket,bitbucket_server,gitlab,fogbugz,git,gitlab_project,gitea,manifest,phabricator}'::text[] not null,
  max_import_size integer default 0 not null,
  commit_email_hostname text default 'users.noreply.localhost'::text not null,
  default_preferred_language text default 'en'::text not null,
  admin_mode boolean default false not null,
  issues_create_limit integer default 0 not null,
  notes_create_limit integer default 0 not null,
  constraint application_settings_pkey PRIMARY KEY (id),
  constraint application_settings_audit_events_retention_days_check CHECK ((audit_events_retention_days >= 0)),
  constraint application_settings_daily_invitations_per_instance_check CHECK ((daily_invitations_per_instance >= 0)),
  constraint application_settings_daily_invitations_per_user_check CHECK ((daily_invitations_per_user >= 0)),
  constraint application_settings_default_group_visibility_check CHECK ((default_group_visibility = ANY (ARRAY['private'::text, 'internal'::text, 'public'::text]))),
  constraint application_settings_default_project_visibility_check CHECK ((default_project_visibility = ANY (ARRAY['private'::text, 'internal'::text, 'public'::text]))),
  constraint application_settings_default_snippet_visibility_check CHECK ((default_snippet_visibility = ANY (ARRAY['private'::text, 'internal'::text, 'public'::text]))),
  constraint application_settings_group_runner_token_expiration_interv_check CHECK ((group_runner_token_expiration_interval >= 7200)),
  constraint application_settings_id_check CHECK (id),
  constraint application_settings_issues_create_limit_check CHECK (((issues_create_limit >= 0) AND (issues_create_limit <= 1000000))),
  constraint application_settings_max_application_secret_lifetime_check CHECK (((max_application_secret_lifetime >= 1) AND (max_application_secret_lifetime <= 3650))),
  constraint application_settings_max_deploy_token_lifetime_check CHECK (((max_deploy_token_lifetime >= 1) AND (max_deploy_token_lifetime <= 3650))),
  constraint application_settings_max_import_size_check CHECK ((max_import_size >= 0)),
  constraint application_settings_max_invitation_lifetime_check CHECK ((max_invitation_lifetime > 0)),
  constraint application_settings_max_oauth_grant_lifetime_check CHECK (((max_oauth_grant_lifetime >= 1) AND (max_oauth_grant_lifetime <= 3650))),
  constraint application_settings_max_personal_access_token_lifetime_check CHECK (((max_personal_access_token_lifetime >= 1) AND (max_personal_access_token_lifetime <= 3650))),
  constraint application_settings_max_registration_token_lifetime_check CHECK (((max_registration_token_lifetime >= 1) AND (max_registration_token_lifetime <= 3650))),
  constraint application_settings_max_scim_token_lifetime_check CHECK (((max_scim_token_lifetime >= 1) AND (max_scim_token_lifetime <= 3650))),
  constraint application_settings_max_session_lifetime_check CHECK (((max_session_lifetime >= 1) AND (max_session_lifetime <= 3650))),
  constraint application_settings_max_ssh_key_lifetime_check CHECK (((max_ssh_key_lifetime >= 1) AND (max_ssh_key_lifetime <= 3650))),
  constraint application_settings_max_trigger_token_lifetime_check CHECK (((max_trigger_token_lifetime >= 1) AND (max_trigger_token_lifetime <= 3650))),
  constraint application_settings_notes_create_limit_check CHECK (((notes_create_limit >= 0) AND (notes_create_limit <= 1000000))),
  constraint application_settings_oauth_access_token_lifetime_check CHECK (((oauth_access_token_lifetime >= 300) AND (oauth_access_token_lifetime <= 86400))),
  constraint application_settings_oauth_refresh_token_lifetime_check CHECK (((oauth_refresh_token_lifetime >= 1) AND (oauth_refresh_token_lifetime <= 3650))),
  constraint application_settings_project_runner_token_expiration_inte_check CHECK ((project_runner_token_expiration_interval >= 7200)),
  constraint application_settings_receive_max_input_size_check CHECK ((receive_max_input_size >= 0)),
  constraint application_settings_repository_size_limit_check CHECK ((repository_size_limit >= 0)),
  constraint application_settings_runner_token_expiration_interval_check CHECK ((runner_token_expiration_interval >= 7200)),
  constraint application_settings_scim_accounts_per_group_check CHECK ((scim_accounts_per_group >= 0)),
  constraint application_settings_scim_accounts_per_owner_check CHECK ((scim_accounts_per_owner >= 0)),
  constraint application_settings_scim_existing_users_check CHECK ((scim_existing_users = ANY (ARRAY['refused'::text, 'members'::text, 'verified'::text]))),
  constraint application_settings_scim_provisioning_check CHECK ((scim_provisioning = ANY (ARRAY['disabled'::text, 'administrators'::text, 'owners'::text]))),
  constraint application_settings_session_expire_delay_check CHECK (((session_expire_delay >= 1) AND (session_expire_delay <= 525600))),
  constraint application_settings_snippet_size_limit_check CHECK ((snippet_size_limit > 0))
);
CREATE TRIGGER announce_runner_settings AFTER UPDATE OF runner_token_expiration_interval, group_runner_token_expiration_interval, project_runner_token_expiration_interval ON application_settings FOR EACH ROW EXECUTE FUNCTION announce_runner_settings();

create table approval_rule_branches (
  approval_rule_id bigint not null,
  protected_branch_id bigint not null,
  constraint approval_rule_branches_pkey PRIMARY KEY (approval_rule_id, protected_branch_id),
  constraint approval_rule_branches_approval_rule_id_fkey FOREIGN KEY (approval_rule_id) REFERENCES approval_rules(id) ON DELETE CASCADE,
  constraint approval_rule_branches_protected_branch_id_fkey FOREIGN KEY (protected_branch_id) REFERENCES protected_branches(id) ON DELETE CASCADE
);
CREATE INDEX approval_rule_branches_branch ON approval_rule_branches USING btree (protected_branch_id);

create table approval_rule_groups (
  approval_rule_id bigint not null,
  group_id bigint not null,
  constraint approval_rule_groups_pkey PRIMARY KEY (approval_rule_id, group_id),
  constraint approval_rule_groups_approval_rule_id_fkey FOREIGN KEY (approval_rule_id) REFERENCES approval_rules(id) ON DELETE CASCADE,
  constraint approval_rule_groups_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE
);
CREATE INDEX approval_rule_groups_group ON approval_rule_groups USING btree (group_id);

create table approval_rule_users (
  approval_rule_id bigint not null,
  user_id bigint not null,
  constraint approval_rule_users_pkey PRIMARY KEY (approval_rule_id, user_id),
  constraint approval_rule_users_approval_rule_id_fkey FOREIGN KEY (approval_rule_id) REFERENCES approval_rules(id) ON DELETE CASCADE,
  constraint approval_rule_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX approval_rule_users_user ON approval_rule_users USING btree (user_id);

create table approval_rules (
  id bigint generated always as identity not null,
  project_id bigint,
  merge_request_id bigint,
  source_rule_id bigint,
  name text not null,
  rule_type text default 'regular'::text not null,
  approvals_required integer not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  section text,
  constraint approval_rules_pkey PRIMARY KEY (id),
  constraint approval_rules_project_name_key UNIQUE (project_id, name),
  constraint approval_rules_approvals_required_check CHECK ((approvals_required >= 0)),
  constraint approval_rules_check CHECK ((num_nonnulls(project_id, merge_request_id) = 1)),
  constraint approval_rules_rule_type_check CHECK ((rule_type = ANY (ARRAY['any_approver'::text, 'regular'::text, 'code_owner'::text, 'report_approver'::text]))),
  constraint approval_rules_section CHECK (((section IS NULL) OR (rule_type = 'code_owner'::text))),
  constraint approval_rules_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint approval_rules_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint approval_rules_source_rule_id_fkey FOREIGN KEY (source_rule_id) REFERENCES approval_rules(id) ON DELETE SET NULL
);
CREATE UNIQUE INDEX approval_rules_any_key ON approval_rules USING btree (project_id) WHERE ((rule_type = 'any_approver'::text) AND (project_id IS NOT NULL));
CREATE UNIQUE INDEX approval_rules_any_of_merge_request_key ON approval_rules USING btree (merge_request_id) WHERE ((rule_type = 'any_approver'::text) AND (merge_request_id IS NOT NULL));
CREATE INDEX approval_rules_merge_request ON approval_rules USING btree (merge_request_id);
CREATE UNIQUE INDEX approval_rules_merge_request_name_key ON approval_rules USING btree (merge_request_id, name) WHERE (rule_type <> 'code_owner'::text);
CREATE INDEX approval_rules_source ON approval_rules USING btree (source_rule_id);

create table approvals (
  merge_request_id bigint not null,
  user_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint approvals_pkey PRIMARY KEY (merge_request_id, user_id),
  constraint approvals_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint approvals_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX approvals_user ON approvals USING btree (user_id, merge_request_id);
CREATE TRIGGER announce_approval AFTER INSERT OR DELETE ON approvals FOR EACH ROW EXECUTE FUNCTION announce_change_of_merge_request();

create table artifact_size_limits (
  file_type text not null,
  megabytes integer not null,
  constraint artifact_size_limits_pkey PRIMARY KEY (file_type),
  constraint artifact_size_limits_megabytes_check CHECK ((megabytes >= 0))
);

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
  kind text not null,
  user_agent text default ''::text not null,
  credential text default ''::text not null,
  acting_as text,
  request_id text default ''::text not null,
  counted_as text,
  occurrences integer default 1 not null,
  constraint audit_events_pkey PRIMARY KEY (id),
  constraint audit_events_entity_type_check CHECK ((entity_type = ANY (ARRAY['User'::text, 'Group'::text, 'Project'::text, 'Instance'::text])))
);
CREATE INDEX audit_events_author ON audit_events USING btree (author_id, id);
CREATE UNIQUE INDEX audit_events_counted_as ON audit_events USING btree (counted_as);
CREATE INDEX audit_events_created_at ON audit_events USING btree (created_at);
CREATE INDEX audit_events_entity ON audit_events USING btree (entity_type, entity_id, id);
CREATE INDEX audit_events_kind ON audit_events USING btree (kind, id);

create table avatars (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  user_id bigint,
  object_id bigint not null,
  filename text not null,
  media_type text not null,
  topic_id bigint,
  constraint avatars_pkey PRIMARY KEY (id),
  constraint avatars_namespace_id_key UNIQUE (namespace_id),
  constraint avatars_project_id_key UNIQUE (project_id),
  constraint avatars_topic_id_key UNIQUE (topic_id),
  constraint avatars_user_id_key UNIQUE (user_id),
  constraint avatars_one_owner CHECK ((num_nonnulls(project_id, namespace_id, user_id, topic_id) = 1)),
  constraint avatars_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint avatars_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint avatars_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint avatars_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES topics(id) ON DELETE CASCADE,
  constraint avatars_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX avatars_object ON avatars USING btree (object_id);

create table award_emoji (
  id bigint generated always as identity not null,
  user_id bigint not null,
  name text not null,
  issue_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  note_id bigint,
  merge_request_id bigint,
  epic_id bigint,
  snippet_id bigint,
  constraint award_emoji_pkey PRIMARY KEY (id),
  constraint award_emoji_epic_key UNIQUE (epic_id, user_id, name),
  constraint award_emoji_issue_key UNIQUE (issue_id, user_id, name),
  constraint award_emoji_merge_request_key UNIQUE (merge_request_id, user_id, name),
  constraint award_emoji_note_key UNIQUE (note_id, user_id, name),
  constraint award_emoji_snippet_key UNIQUE (snippet_id, user_id, name),
  constraint award_emoji_one_awardable CHECK ((num_nonnulls(issue_id, merge_request_id, epic_id, snippet_id, note_id) = 1)),
  constraint award_emoji_epic_id_fkey FOREIGN KEY (epic_id) REFERENCES epics(id) ON DELETE CASCADE,
  constraint award_emoji_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint award_emoji_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint award_emoji_note_id_fkey FOREIGN KEY (note_id) REFERENCES notes(id) ON DELETE CASCADE,
  constraint award_emoji_snippet_id_fkey FOREIGN KEY (snippet_id) REFERENCES snippets(id) ON DELETE CASCADE,
  constraint award_emoji_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX award_emoji_user ON award_emoji USING btree (user_id, name, issue_id);
CREATE INDEX award_emoji_user_epic ON award_emoji USING btree (user_id, name, epic_id) WHERE (epic_id IS NOT NULL);
CREATE INDEX award_emoji_user_merge_request ON award_emoji USING btree (user_id, name, merge_request_id) WHERE (merge_request_id IS NOT NULL);
CREATE TRIGGER announce_reaction AFTER INSERT OR DELETE ON award_emoji FOR EACH ROW EXECUTE FUNCTION announce_reaction();
CREATE TRIGGER announce_reaction_to_epic AFTER INSERT OR DELETE ON award_emoji FOR EACH ROW EXECUTE FUNCTION announce_reaction_to_epic();

create table badges (
  id bigint generated always as identity not null,
  namespace_id bigint,
  project_id bigint,
  name text,
  link_url text not null,
  image_url text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint badges_pkey PRIMARY KEY (id),
  constraint badges_check CHECK ((num_nonnulls(namespace_id, project_id) = 1)),
  constraint badges_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint badges_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX badges_namespace ON badges USING btree (namespace_id);
CREATE INDEX badges_project ON badges USING btree (project_id);

create table board_labels (
  board_id bigint not null,
  label_id bigint not null,
  constraint board_labels_pkey PRIMARY KEY (board_id, label_id),
  constraint board_labels_board_id_fkey FOREIGN KEY (board_id) REFERENCES boards(id) ON DELETE CASCADE,
  constraint board_labels_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE CASCADE
);
CREATE INDEX board_labels_label ON board_labels USING btree (label_id);

create table board_lists (
  id bigint generated always as identity not null,
  board_id bigint not null,
  label_id bigint,
  assignee_id bigint,
  milestone_id bigint,
  iteration_id bigint,
  "position" integer not null,
  max_issue_count integer default 0 not null,
  max_issue_weight integer default 0 not null,
  limit_metric text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint board_lists_pkey PRIMARY KEY (id),
  constraint board_lists_assignee_key UNIQUE (board_id, assignee_id),
  constraint board_lists_iteration_key UNIQUE (board_id, iteration_id),
  constraint board_lists_label_key UNIQUE (board_id, label_id),
  constraint board_lists_milestone_key UNIQUE (board_id, milestone_id),
  constraint board_lists_check CHECK ((num_nonnulls(label_id, assignee_id, milestone_id, iteration_id) = 1)),
  constraint board_lists_limit_metric_check CHECK ((limit_metric = ANY (ARRAY['all_metrics'::text, 'issue_count'::text, 'issue_weights'::text]))),
  constraint board_lists_max_issue_count_check CHECK ((max_issue_count >= 0)),
  constraint board_lists_max_issue_weight_check CHECK ((max_issue_weight >= 0)),
  constraint board_lists_position_check CHECK (("position" >= 0)),
  constraint board_lists_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint board_lists_board_id_fkey FOREIGN KEY (board_id) REFERENCES boards(id) ON DELETE CASCADE,
  constraint board_lists_iteration_id_fkey FOREIGN KEY (iteration_id) REFERENCES iterations(id) ON DELETE CASCADE,
  constraint board_lists_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE CASCADE,
  constraint board_lists_milestone_id_fkey FOREIGN KEY (milestone_id) REFERENCES milestones(id) ON DELETE CASCADE
);
CREATE INDEX board_lists_assignee ON board_lists USING btree (assignee_id);
CREATE INDEX board_lists_iteration ON board_lists USING btree (iteration_id);
CREATE INDEX board_lists_label ON board_lists USING btree (label_id);
CREATE INDEX board_lists_milestone ON board_lists USING btree (milestone_id);
CREATE INDEX board_lists_position ON board_lists USING btree (board_id, "position", id);

create table boards (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  name text not null,
  hide_backlog_list boolean default false not null,
  hide_closed_list boolean default false not null,
  milestone_id bigint,
  assignee_id bigint,
  weight integer,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint boards_pkey PRIMARY KEY (id),
  constraint boards_check CHECK ((num_nonnulls(project_id, namespace_id) = 1)),
  constraint boards_weight_check CHECK ((weight >= 0)),
  constraint boards_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint boards_milestone_id_fkey FOREIGN KEY (milestone_id) REFERENCES milestones(id) ON DELETE SET NULL,
  constraint boards_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint boards_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX boards_assignee ON boards USING btree (assignee_id);
CREATE INDEX boards_group ON boards USING btree (namespace_id, id);
CREATE INDEX boards_milestone ON boards USING btree (milestone_id);
CREATE INDEX boards_project ON boards USING btree (project_id, id);
CREATE TRIGGER announce_board AFTER UPDATE ON boards FOR EACH ROW EXECUTE FUNCTION announce_board();

create table bots (
  user_id bigint not null,
  project_id bigint,
  namespace_id bigint,
  constraint bots_pkey PRIMARY KEY (user_id),
  constraint bots_check CHECK ((num_nonnulls(namespace_id, project_id) = 1)),
  constraint bots_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint project_bots_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint project_bots_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX bots_namespace ON bots USING btree (namespace_id);
CREATE INDEX bots_project ON bots USING btree (project_id);

create table broadcast_messages (
  id bigint generated by default as identity not null,
  message text not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  color text default '#E75E40'::text not null,
  font text default '#FFFFFF'::text not null,
  target_path text,
  broadcast_type text default 'banner'::text not null,
  dismissable boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint broadcast_messages_pkey PRIMARY KEY (id),
  constraint broadcast_messages_broadcast_type_check CHECK ((broadcast_type = ANY (ARRAY['banner'::text, 'notification'::text])))
);
CREATE INDEX broadcast_messages_ends_at ON broadcast_messages USING btree (ends_at);

create table bulk_import_entities (
  id bigint generated always as identity not null,
  bulk_import_id bigint not null,
  parent_id bigint,
  source_type text not null,
  source_full_path text not null,
  destination_name text not null,
  destination_slug text not null,
  destination_namespace text not null,
  status text default 'created'::text not null,
  step text default 'begin'::text not null,
  step_since timestamp with time zone default now() not null,
  attempts integer default 0 not null,
  namespace_id bigint,
  project_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint bulk_import_entities_pkey PRIMARY KEY (id),
  constraint bulk_import_entities_source_type_check CHECK ((source_type = ANY (ARRAY['group_entity'::text, 'project_entity'::text]))),
  constraint bulk_import_entities_status_check CHECK ((status = ANY (ARRAY['created'::text, 'started'::text, 'finished'::text, 'failed'::text]))),
  constraint bulk_import_entities_step_check CHECK ((step = ANY (ARRAY['begin'::text, 'labels'::text, 'milestones'::text, 'members'::text, 'children'::text, 'export'::text, 'import'::text, 'rest'::text, 'done'::text]))),
  constraint bulk_import_entities_bulk_import_id_fkey FOREIGN KEY (bulk_import_id) REFERENCES bulk_imports(id) ON DELETE CASCADE,
  constraint bulk_import_entities_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE SET NULL,
  constraint bulk_import_entities_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES bulk_import_entities(id) ON DELETE CASCADE,
  constraint bulk_import_entities_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE SET NULL
);
CREATE INDEX bulk_import_entities_namespace ON bulk_import_entities USING btree (namespace_id);
CREATE INDEX bulk_import_entities_parent ON bulk_import_entities USING btree (parent_id);
CREATE INDEX bulk_import_entities_project ON bulk_import_entities USING btree (project_id);
CREATE UNIQUE INDEX bulk_import_entities_source ON bulk_import_entities USING btree (bulk_import_id, COALESCE(parent_id, (0)::bigint), source_type, lower(source_full_path), lower(destination_namespace), lower(destination_slug));
CREATE TRIGGER announce_added_migrated AFTER INSERT ON bulk_import_entities FOR EACH ROW EXECUTE FUNCTION announce_migrated();
CREATE TRIGGER announce_migrated AFTER UPDATE OF status, step ON bulk_import_entities FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.step IS DISTINCT FROM new.step))) EXECUTE FUNCTION announce_migrated();

create table bulk_import_failures (
  id bigint generated always as identity not null,
  entity_id bigint not null,
  relation text not null,
  step text not null,
  exception_class text not null,
  exception_message text not null,
  created_at timestamp with time zone default now() not null,
  constraint bulk_import_failures_pkey PRIMARY KEY (id),
  constraint bulk_import_failures_entity_id_fkey FOREIGN KEY (entity_id) REFERENCES bulk_import_entities(id) ON DELETE CASCADE
);
CREATE INDEX bulk_import_failures_entity ON bulk_import_failures USING btree (entity_id, id);

create table bulk_imports (
  id bigint generated always as identity not null,
  user_id bigint not null,
  status text default 'created'::text not null,
  url text not null,
  access_token text,
  correlation_id text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint bulk_imports_pkey PRIMARY KEY (id),
  constraint bulk_imports_status_check CHECK ((status = ANY (ARRAY['created'::text, 'started'::text, 'finished'::text, 'failed'::text]))),
  constraint bulk_imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX bulk_imports_user ON bulk_imports USING btree (user_id, id);
CREATE TRIGGER announce_migration AFTER UPDATE OF status ON bulk_imports FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION announce_migration();

create table ci_days (
  day date not null,
  project_id bigint,
  namespace_id bigint,
  pipelines integer default 0 not null,
  succeeded integer default 0 not null,
  failed integer default 0 not null,
  canceled integer default 0 not null,
  duration_p50 double precision,
  duration_p95 double precision,
  jobs integer default 0 not null,
  failed_jobs integer default 0 not null,
  flaky_jobs integer default 0 not null,
  job_seconds bigint default 0 not null,
  queue_p50 double precision,
  queue_p95 double precision,
  busiest bigint[] default '{}'::bigint[] not null,
  constraint ci_days_of_one CHECK (((project_id IS NULL) OR (namespace_id IS NULL))),
  constraint ci_days_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint ci_days_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX ci_days_day ON ci_days USING btree (day);
CREATE UNIQUE INDEX ci_days_instance ON ci_days USING btree (day) WHERE ((project_id IS NULL) AND (namespace_id IS NULL));
CREATE UNIQUE INDEX ci_days_namespace ON ci_days USING btree (namespace_id, day) WHERE (namespace_id IS NOT NULL);
CREATE UNIQUE INDEX ci_days_project ON ci_days USING btree (project_id, day) INCLUDE (job_seconds, pipelines, failed) WHERE (project_id IS NOT NULL);

create table ci_job_days (
  day date not null,
  project_id bigint not null,
  name text not null,
  runs integer not null,
  failed integer not null,
  flaky integer not null,
  ended integer not null,
  seconds bigint not null,
  longest integer not null,
  constraint ci_job_days_pkey PRIMARY KEY (project_id, day, name),
  constraint ci_job_days_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX ci_job_days_day ON ci_job_days USING btree (day);

create table ci_variables (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  key text not null,
  value text not null,
  variable_type text default 'env_var'::text not null,
  protected boolean default false not null,
  masked boolean default false not null,
  raw boolean default false not null,
  environment_scope text default '*'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  hidden boolean default false not null,
  constraint ci_variables_pkey PRIMARY KEY (id),
  constraint ci_variables_check CHECK ((num_nonnulls(project_id, namespace_id) <= 1)),
  constraint ci_variables_hidden_masked CHECK ((masked OR (NOT hidden))),
  constraint ci_variables_variable_type_check CHECK ((variable_type = ANY (ARRAY['env_var'::text, 'file'::text]))),
  constraint ci_variables_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint ci_variables_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX ci_variables_instance_key ON ci_variables USING btree (key) WHERE ((project_id IS NULL) AND (namespace_id IS NULL));
CREATE INDEX ci_variables_namespace ON ci_variables USING btree (namespace_id, id);
CREATE UNIQUE INDEX ci_variables_namespace_key ON ci_variables USING btree (namespace_id, key, environment_scope) WHERE (namespace_id IS NOT NULL);
CREATE INDEX ci_variables_project ON ci_variables USING btree (project_id, id);
CREATE UNIQUE INDEX ci_variables_project_key ON ci_variables USING btree (project_id, key, environment_scope) WHERE (project_id IS NOT NULL);

create table cluster_agents (
  id bigint generated always as identity not null,
  project_id bigint not null,
  name text not null,
  created_by_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint cluster_agents_pkey PRIMARY KEY (id),
  constraint cluster_agents_name_key UNIQUE (project_id, name),
  constraint cluster_agents_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint cluster_agents_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX cluster_agents_created_by ON cluster_agents USING btree (created_by_id);

create table clusters (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  name text not null,
  domain text,
  enabled boolean default true not null,
  managed boolean default true not null,
  namespace_per_environment boolean default true not null,
  environment_scope text default '*'::text not null,
  management_project_id bigint,
  user_id bigint,
  api_url text not null,
  token text,
  ca_cert text,
  namespace text,
  authorization_type text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint clusters_pkey PRIMARY KEY (id),
  constraint clusters_authorization_type_check CHECK ((authorization_type = ANY (ARRAY['rbac'::text, 'abac'::text]))),
  constraint clusters_check CHECK (((project_id IS NULL) OR (namespace_id IS NULL))),
  constraint clusters_management_project_id_fkey FOREIGN KEY (management_project_id) REFERENCES projects(id) ON DELETE SET NULL,
  constraint clusters_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint clusters_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint clusters_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX clusters_instance ON clusters USING btree (id) WHERE ((project_id IS NULL) AND (namespace_id IS NULL));
CREATE UNIQUE INDEX clusters_management ON clusters USING btree (management_project_id, environment_scope);
CREATE INDEX clusters_namespace ON clusters USING btree (namespace_id, id);
CREATE UNIQUE INDEX clusters_place ON clusters USING btree (COALESCE(project_id, (0)::bigint), COALESCE(namespace_id, (0)::bigint), environment_scope);
CREATE INDEX clusters_project ON clusters USING btree (project_id, id);
CREATE INDEX clusters_user ON clusters USING btree (user_id);

create table code_quality_findings (
  artifact_id bigint not null,
  number integer not null,
  fingerprint text not null,
  path text not null,
  line integer not null,
  severity text not null,
  check_name text,
  description text not null,
  constraint code_quality_findings_pkey PRIMARY KEY (artifact_id, number),
  constraint code_quality_findings_artifact_id_fkey FOREIGN KEY (artifact_id) REFERENCES line_reports(artifact_id) ON DELETE CASCADE
);
CREATE INDEX code_quality_findings_fingerprint ON code_quality_findings USING btree (artifact_id, fingerprint);
CREATE INDEX code_quality_findings_path ON code_quality_findings USING btree (artifact_id, path);

create table commented_commits (
  id bigint generated always as identity not null,
  project_id bigint not null,
  sha text not null,
  title text not null,
  notes_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint commented_commits_pkey PRIMARY KEY (id),
  constraint commented_commits_key UNIQUE (project_id, sha),
  constraint commented_commits_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

create table container_blobs (
  id bigint generated always as identity not null,
  digest text not null,
  size bigint not null,
  object_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint container_blobs_pkey PRIMARY KEY (id),
  constraint container_blobs_digest_key UNIQUE (digest),
  constraint container_blobs_size_check CHECK ((size >= 0)),
  constraint container_blobs_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id)
);
CREATE INDEX container_blobs_object ON container_blobs USING btree (object_id);

create table container_manifest_blobs (
  manifest_id bigint not null,
  repository_id bigint not null,
  blob_id bigint not null,
  constraint container_manifest_blobs_pkey PRIMARY KEY (manifest_id, blob_id),
  constraint container_manifest_blobs_manifest_id_fkey FOREIGN KEY (manifest_id) REFERENCES container_manifests(id) ON DELETE CASCADE,
  constraint container_manifest_blobs_repository_id_blob_id_fkey FOREIGN KEY (repository_id, blob_id) REFERENCES container_repository_blobs(repository_id, blob_id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX container_manifest_blobs_link ON container_manifest_blobs USING btree (repository_id, blob_id);

create table container_manifest_children (
  parent_id bigint not null,
  child_id bigint not null,
  constraint container_manifest_children_pkey PRIMARY KEY (parent_id, child_id),
  constraint container_manifest_children_child_id_fkey FOREIGN KEY (child_id) REFERENCES container_manifests(id) ON DELETE CASCADE,
  constraint container_manifest_children_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES container_manifests(id) ON DELETE CASCADE
);
CREATE INDEX container_manifest_children_child ON container_manifest_children USING btree (child_id);

create table container_manifests (
  id bigint generated always as identity not null,
  repository_id bigint not null,
  digest text not null,
  media_type text not null,
  artifact_type text,
  subject_digest text,
  annotations json,
  payload bytea not null,
  size bigint not null,
  config_digest text,
  total_size bigint default 0 not null,
  image_created_at timestamp with time zone not null,
  untagged_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint container_manifests_pkey PRIMARY KEY (id),
  constraint container_manifests_digest_key UNIQUE (repository_id, digest),
  constraint container_manifests_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES container_repositories(id) ON DELETE CASCADE
);
CREATE INDEX container_manifests_subject ON container_manifests USING btree (repository_id, subject_digest, id) WHERE (subject_digest IS NOT NULL);
CREATE INDEX container_manifests_untagged ON container_manifests USING btree (untagged_at) WHERE (untagged_at IS NOT NULL);

create table container_protection_rules (
  id bigint generated always as identity not null,
  project_id bigint not null,
  name_pattern text not null,
  minimum_access_level_for_push smallint,
  minimum_access_level_for_delete smallint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint container_protection_rules_pkey PRIMARY KEY (id),
  constraint container_protection_rules_name_key UNIQUE (project_id, name_pattern),
  constraint container_protection_rules_check CHECK ((COALESCE(minimum_access_level_for_push, minimum_access_level_for_delete) IS NOT NULL)),
  constraint container_protection_rules_minimum_access_level_for_delet_check CHECK ((minimum_access_level_for_delete = ANY (ARRAY[40, 50, 60]))),
  constraint container_protection_rules_minimum_access_level_for_push_check CHECK ((minimum_access_level_for_push = ANY (ARRAY[40, 50, 60]))),
  constraint container_protection_rules_name_pattern_check CHECK ((char_length(name_pattern) <= 255)),
  constraint container_protection_rules_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE TRIGGER announce_container_protection_rule AFTER INSERT OR DELETE OR UPDATE ON container_protection_rules FOR EACH ROW EXECUTE FUNCTION announce_in_project('container_protection_rules');

create table container_repositories (
  id bigint generated always as identity not null,
  project_id bigint not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  cleanup_started_at timestamp with time zone,
  cleanup_requested_at timestamp with time zone,
  constraint container_repositories_pkey PRIMARY KEY (id),
  constraint container_repositories_name_key UNIQUE (project_id, name),
  constraint container_repositories_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

create table container_repository_blobs (
  repository_id bigint not null,
  blob_id bigint not null,
  linked_at timestamp with time zone default now() not null,
  constraint container_repository_blobs_pkey PRIMARY KEY (repository_id, blob_id),
  constraint container_repository_blobs_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES container_blobs(id),
  constraint container_repository_blobs_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES container_repositories(id) ON DELETE CASCADE
);
CREATE INDEX container_repository_blobs_blob ON container_repository_blobs USING btree (blob_id);
CREATE INDEX container_repository_blobs_linked ON container_repository_blobs USING btree (linked_at);

create table container_tag_protection_rules (
  id bigint generated always as identity not null,
  project_id bigint not null,
  tag_name_pattern text not null,
  minimum_access_level_for_push smallint,
  minimum_access_level_for_delete smallint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint container_tag_protection_rules_pkey PRIMARY KEY (id),
  constraint container_tag_protection_rules_name_key UNIQUE (project_id, tag_name_pattern),
  constraint container_tag_protection_rul_minimum_access_level_for_del_check CHECK ((minimum_access_level_for_delete = ANY (ARRAY[40, 50, 60]))),
  constraint container_tag_protection_rul_minimum_access_level_for_pus_check CHECK ((minimum_access_level_for_push = ANY (ARRAY[40, 50, 60]))),
  constraint container_tag_protection_rules_check CHECK (((minimum_access_level_for_push IS NULL) = (minimum_access_level_for_delete IS NULL))),
  constraint container_tag_protection_rules_tag_name_pattern_check CHECK (((char_length(tag_name_pattern) >= 1) AND (char_length(tag_name_pattern) <= 100))),
  constraint container_tag_protection_rules_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE TRIGGER announce_container_tag_protection_rule AFTER INSERT OR DELETE OR UPDATE ON container_tag_protection_rules FOR EACH ROW EXECUTE FUNCTION announce_in_project('container_tag_protection_rules');

create table container_tags (
  id bigint generated always as identity not null,
  repository_id bigint not null,
  name text collate "C" not null,
  manifest_id bigint not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint container_tags_pkey PRIMARY KEY (id),
  constraint container_tags_name_key UNIQUE (repository_id, name),
  constraint container_tags_manifest_id_fkey FOREIGN KEY (manifest_id) REFERENCES container_manifests(id) ON DELETE CASCADE,
  constraint container_tags_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES container_repositories(id) ON DELETE CASCADE
);
CREATE INDEX container_tags_manifest ON container_tags USING btree (manifest_id);

create table container_upload_parts (
  upload_id uuid not null,
  start bigint not null,
  size bigint not null,
  object_id bigint not null,
  constraint container_upload_parts_pkey PRIMARY KEY (upload_id, start),
  constraint container_upload_parts_size_check CHECK ((size > 0)),
  constraint container_upload_parts_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint container_upload_parts_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES container_uploads(id) ON DELETE CASCADE
);
CREATE INDEX container_upload_parts_object ON container_upload_parts USING btree (object_id);

create table container_uploads (
  id uuid default gen_random_uuid() not null,
  repository_id bigint not null,
  size bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint container_uploads_pkey PRIMARY KEY (id),
  constraint container_uploads_repository_id_fkey FOREIGN KEY (repository_id) REFERENCES container_repositories(id) ON DELETE CASCADE
);
CREATE INDEX container_uploads_repository ON container_uploads USING btree (repository_id);
CREATE INDEX container_uploads_updated ON container_uploads USING btree (updated_at);

create table coverage_files (
  artifact_id bigint not null,
  path text not null,
  lines integer[] not null,
  hits integer[] not null,
  constraint coverage_files_pkey PRIMARY KEY (artifact_id, path),
  constraint coverage_files_artifact_id_fkey FOREIGN KEY (artifact_id) REFERENCES line_reports(artifact_id) ON DELETE CASCADE
);

create table custom_attributes (
  id bigint generated always as identity not null,
  user_id bigint,
  namespace_id bigint,
  project_id bigint,
  key text not null,
  value text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint custom_attributes_pkey PRIMARY KEY (id),
  constraint custom_attributes_namespace_id_key_key UNIQUE (namespace_id, key),
  constraint custom_attributes_project_id_key_key UNIQUE (project_id, key),
  constraint custom_attributes_user_id_key_key UNIQUE (user_id, key),
  constraint custom_attributes_check CHECK ((num_nonnulls(user_id, namespace_id, project_id) = 1)),
  constraint custom_attributes_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint custom_attributes_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint custom_attributes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX custom_attributes_value ON custom_attributes USING btree (key, md5(value));

create table debian_distributions (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  codename text not null,
  suite text,
  origin text,
  label text,
  version text,
  description text,
  valid_time_duration_seconds integer,
  components text[] not null,
  architectures text[] not null,
  public_key text not null,
  private_key text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint debian_distributions_pkey PRIMARY KEY (id),
  constraint debian_distributions_check CHECK ((num_nonnulls(project_id, namespace_id) = 1)),
  constraint debian_distributions_codename_check CHECK (((length(codename) >= 1) AND (length(codename) <= 255))),
  constraint debian_distributions_description_check CHECK ((length(description) <= 1000)),
  constraint debian_distributions_label_check CHECK (((length(label) >= 1) AND (length(label) <= 255))),
  constraint debian_distributions_origin_check CHECK (((length(origin) >= 1) AND (length(origin) <= 255))),
  constraint debian_distributions_suite_check CHECK (((length(suite) >= 1) AND (length(suite) <= 255))),
  constraint debian_distributions_valid_time_duration_seconds_check CHECK ((valid_time_duration_seconds > 0)),
  constraint debian_distributions_version_check CHECK (((length(version) >= 1) AND (length(version) <= 255))),
  constraint debian_distributions_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint debian_distributions_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX debian_distributions_of_group ON debian_distributions USING btree (namespace_id, codename) WHERE (namespace_id IS NOT NULL);
CREATE UNIQUE INDEX debian_distributions_of_project ON debian_distributions USING btree (project_id, codename) WHERE (project_id IS NOT NULL);

create table debian_indexes (
  id bigint generated always as identity not null,
  release_id bigint not null,
  path text not null,
  sha256 text not null,
  compressed_sha256 text not null,
  compressed bytea not null,
  constraint debian_indexes_pkey PRIMARY KEY (id),
  constraint debian_indexes_path_key UNIQUE (release_id, path),
  constraint debian_indexes_release_id_fkey FOREIGN KEY (release_id) REFERENCES debian_releases(id) ON DELETE CASCADE
);

create table debian_releases (
  id bigint generated always as identity not null,
  distribution_id bigint not null,
  state text not null,
  project_ids bigint[] not null,
  release text not null,
  signature text not null,
  in_release text not null,
  created_at timestamp with time zone default now() not null,
  constraint debian_releases_pkey PRIMARY KEY (id),
  constraint debian_releases_state_key UNIQUE (distribution_id, state),
  constraint debian_releases_distribution_id_fkey FOREIGN KEY (distribution_id) REFERENCES debian_distributions(id) ON DELETE CASCADE
);

create table deleted_snippets (
  id bigint not null,
  repository_storage text not null,
  constraint deleted_snippets_pkey PRIMARY KEY (id)
);

create table dependency_proxy_blobs (
  id bigint generated always as identity not null,
  namespace_id bigint not null,
  digest text not null,
  object_id bigint not null,
  read_on date not null,
  constraint dependency_proxy_blobs_pkey PRIMARY KEY (id),
  constraint dependency_proxy_blobs_digest_key UNIQUE (namespace_id, digest),
  constraint dependency_proxy_blobs_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint dependency_proxy_blobs_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id)
);
CREATE INDEX dependency_proxy_blobs_object_id ON dependency_proxy_blobs USING btree (object_id);
CREATE INDEX dependency_proxy_blobs_read_on ON dependency_proxy_blobs USING btree (read_on);

create table dependency_proxy_manifests (
  id bigint generated always as identity not null,
  namespace_id bigint not null,
  image text not null,
  reference text not null,
  digest text not null,
  media_type text not null,
  payload bytea not null,
  read_on date not null,
  constraint dependency_proxy_manifests_pkey PRIMARY KEY (id),
  constraint dependency_proxy_manifests_reference_key UNIQUE (namespace_id, image, reference),
  constraint dependency_proxy_manifests_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE
);
CREATE INDEX dependency_proxy_manifests_read_on ON dependency_proxy_manifests USING btree (read_on);

create table dependency_proxy_purges (
  namespace_id bigint not null,
  purged_at timestamp with time zone not null,
  constraint dependency_proxy_purges_pkey PRIMARY KEY (namespace_id),
  constraint dependency_proxy_purges_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE
);

create table deploy_key_projects (
  key_id bigint not null,
  project_id bigint not null,
  can_push boolean default false not null,
  created_at timestamp with time zone default now() not null,
  enabled_by bigint,
  id bigint generated always as identity not null,
  updated_at timestamp with time zone default now() not null,
  constraint deploy_key_projects_pkey PRIMARY KEY (project_id, key_id),
  constraint deploy_key_projects_id_key UNIQUE (id),
  constraint deploy_key_projects_enabled_by_fkey FOREIGN KEY (enabled_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint deploy_key_projects_key_id_fkey FOREIGN KEY (key_id) REFERENCES keys(id) ON DELETE CASCADE,
  constraint deploy_key_projects_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX deploy_key_projects_enabled_by ON deploy_key_projects USING btree (enabled_by);
CREATE INDEX deploy_key_projects_key ON deploy_key_projects USING btree (key_id);

create table deploy_tokens (
  id bigint generated always as identity not null,
  project_id bigint,
  group_id bigint,
  name text not null,
  username text not null,
  digest text not null,
  scopes text[] not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  created_by bigint,
  constraint deploy_tokens_pkey PRIMARY KEY (id),
  constraint deploy_tokens_digest_key UNIQUE (digest),
  constraint deploy_tokens_check CHECK ((num_nonnulls(project_id, group_id) = 1)),
  constraint deploy_tokens_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint deploy_tokens_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint deploy_tokens_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX deploy_tokens_created_by ON deploy_tokens USING btree (created_by);
CREATE INDEX deploy_tokens_group ON deploy_tokens USING btree (group_id);
CREATE INDEX deploy_tokens_project ON deploy_tokens USING btree (project_id);

create table deployment_merge_requests (
  deployment_id bigint not null,
  merge_request_id bigint not null,
  environment_id bigint not null,
  constraint deployment_merge_requests_pkey PRIMARY KEY (deployment_id, merge_request_id),
  constraint deployment_merge_requests_once UNIQUE (environment_id, merge_request_id),
  constraint deployment_merge_requests_deployment_id_fkey FOREIGN KEY (deployment_id) REFERENCES deployments(id) ON DELETE CASCADE,
  constraint deployment_merge_requests_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id) ON DELETE CASCADE,
  constraint deployment_merge_requests_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE
);
CREATE INDEX deployment_merge_requests_merge_request ON deployment_merge_requests USING btree (merge_request_id);
CREATE TRIGGER announce_brought_merge_request AFTER INSERT ON deployment_merge_requests FOR EACH ROW EXECUTE FUNCTION announce_change_of_merge_request();

create table deployments (
  id bigint generated always as identity not null,
  iid bigint not null,
  project_id bigint not null,
  environment_id bigint not null,
  user_id bigint,
  ref text not null,
  tag boolean default false not null,
  sha text not null,
  status text default 'created'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  job_id bigint,
  on_stop text,
  constraint deployments_pkey PRIMARY KEY (id),
  constraint deployments_iid_key UNIQUE (project_id, iid),
  constraint deployments_check CHECK (((finished_at IS NOT NULL) = (status = ANY (ARRAY['success'::text, 'failed'::text, 'canceled'::text])))),
  constraint deployments_status_check CHECK ((status = ANY (ARRAY['created'::text, 'running'::text, 'success'::text, 'failed'::text, 'canceled'::text, 'skipped'::text]))),
  constraint deployments_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id) ON DELETE CASCADE,
  constraint deployments_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE SET NULL,
  constraint deployments_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint deployments_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX deployments_created_at ON deployments USING btree (project_id, created_at, id);
CREATE INDEX deployments_environment ON deployments USING btree (environment_id, id);
CREATE INDEX deployments_finished_at ON deployments USING btree (project_id, finished_at, id);
CREATE INDEX deployments_job ON deployments USING btree (job_id);
CREATE INDEX deployments_project ON deployments USING btree (project_id, id);
CREATE INDEX deployments_ref ON deployments USING btree (project_id, ref, id);
CREATE INDEX deployments_sha ON deployments USING btree (project_id, sha, environment_id, id);
CREATE INDEX deployments_status ON deployments USING btree (project_id, status, id);
CREATE INDEX deployments_succeeded ON deployments USING btree (environment_id, id) WHERE (status = 'success'::text);
CREATE INDEX deployments_unfinished ON deployments USING btree (environment_id, id) WHERE (status = ANY (ARRAY['created'::text, 'running'::text]));
CREATE INDEX deployments_updated_at ON deployments USING btree (project_id, updated_at, id);
CREATE INDEX deployments_user ON deployments USING btree (user_id);
CREATE TRIGGER announce_deployed_merge_requests AFTER INSERT ON deployments FOR EACH ROW EXECUTE FUNCTION announce_deployed_merge_requests();
CREATE TRIGGER announce_deployment AFTER INSERT OR DELETE ON deployments FOR EACH ROW EXECUTE FUNCTION announce_environment();
CREATE TRIGGER announce_moved_deployed_merge_requests AFTER UPDATE OF status ON deployments FOR EACH ROW WHEN ((new.status IS DISTINCT FROM old.status)) EXECUTE FUNCTION announce_deployed_merge_requests();
CREATE TRIGGER announce_moved_deployment AFTER UPDATE OF status ON deployments FOR EACH ROW WHEN ((new.status IS DISTINCT FROM old.status)) EXECUTE FUNCTION announce_environment();

create table draft_notes (
  id bigint generated always as identity not null,
  merge_request_id bigint not null,
  author_id bigint not null,
  note text not null,
  discussion_id text,
  resolve_discussion boolean default false not null,
  commit_id text,
  "position" jsonb,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint draft_notes_pkey PRIMARY KEY (id),
  constraint draft_notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint draft_notes_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE
);
CREATE INDEX draft_notes_author ON draft_notes USING btree (author_id);
CREATE INDEX draft_notes_merge_request ON draft_notes USING btree (merge_request_id, author_id, id);

create table email_confirmations (
  id bigint generated always as identity not null,
  user_id bigint not null,
  digest text not null,
  email text not null,
  request_key text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint email_confirmations_pkey PRIMARY KEY (id),
  constraint email_confirmations_digest_key UNIQUE (digest),
  constraint email_confirmations_request_key_key UNIQUE (request_key),
  constraint email_confirmations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX email_confirmations_email ON email_confirmations USING btree (lower(email), created_at);
CREATE INDEX email_confirmations_expires_at ON email_confirmations USING btree (expires_at);
CREATE INDEX email_confirmations_user ON email_confirmations USING btree (user_id);

create table emails (
  id bigint generated always as identity not null,
  user_id bigint not null,
  email text not null,
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint emails_pkey PRIMARY KEY (id),
  constraint emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX emails_confirmed_key ON emails USING btree (lower(email)) WHERE (confirmed_at IS NOT NULL);
CREATE UNIQUE INDEX emails_of_user_key ON emails USING btree (lower(email), user_id);
CREATE INDEX emails_user ON emails USING btree (user_id);

create table environments (
  id bigint generated always as identity not null,
  project_id bigint not null,
  name text not null,
  slug text not null,
  external_url text,
  state text default 'available'::text not null,
  tier text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  auto_stop_at timestamp with time zone,
  constraint environments_pkey PRIMARY KEY (id),
  constraint environments_name_key UNIQUE (project_id, name),
  constraint environments_slug_key UNIQUE (project_id, slug),
  constraint environments_state_check CHECK ((state = ANY (ARRAY['available'::text, 'stopped'::text]))),
  constraint environments_tier_check CHECK ((tier = ANY (ARRAY['production'::text, 'staging'::text, 'testing'::text, 'development'::text, 'other'::text]))),
  constraint environments_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX environments_auto_stop ON environments USING btree (auto_stop_at) WHERE ((auto_stop_at IS NOT NULL) AND (state = 'available'::text));
CREATE INDEX environments_project ON environments USING btree (project_id, id);
CREATE INDEX environments_state_name ON environments USING btree (project_id, state, name);
CREATE TRIGGER announce_environment AFTER INSERT OR DELETE OR UPDATE ON environments FOR EACH ROW EXECUTE FUNCTION announce_environment();

create table epic_labels (
  epic_id bigint not null,
  label_id bigint not null,
  constraint epic_labels_pkey PRIMARY KEY (epic_id, label_id),
  constraint epic_labels_epic_id_fkey FOREIGN KEY (epic_id) REFERENCES epics(id) ON DELETE CASCADE,
  constraint epic_labels_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE CASCADE
);
CREATE INDEX epic_labels_label ON epic_labels USING btree (label_id, epic_id);

create table epics (
  id bigint generated always as identity not null,
  iid bigint not null,
  namespace_id bigint not null,
  author_id bigint not null,
  parent_id bigint,
  "position" integer default 0 not null,
  title text not null,
  description text,
  state text default 'opened'::text not null,
  confidential boolean default false not null,
  start_date_is_fixed boolean default false not null,
  start_date_fixed date,
  due_date_is_fixed boolean default false not null,
  due_date_fixed date,
  upvotes integer default 0 not null,
  downvotes integer default 0 not null,
  closed_at timestamp with time zone,
  closed_by_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  user_notes_count integer default 0 not null,
  constraint epics_pkey PRIMARY KEY (id),
  constraint epics_iid_key UNIQUE (namespace_id, iid),
  constraint epics_check CHECK ((parent_id <> id)),
  constraint epics_check1 CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL))),
  constraint epics_state_check CHECK ((state = ANY (ARRAY['opened'::text, 'closed'::text]))),
  constraint epics_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint epics_closed_by_id_fkey FOREIGN KEY (closed_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint epics_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint epics_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES epics(id) ON DELETE SET NULL
);
CREATE INDEX epics_author ON epics USING btree (author_id);
CREATE INDEX epics_closed_by ON epics USING btree (closed_by_id);
CREATE INDEX epics_created_at ON epics USING btree (namespace_id, created_at, id);
CREATE INDEX epics_description_trgm ON epics USING gin (description gin_trgm_ops);
CREATE INDEX epics_parent ON epics USING btree (parent_id, "position", id);
CREATE INDEX epics_title_trgm ON epics USING gin (title gin_trgm_ops);
CREATE INDEX epics_updated_at ON epics USING btree (namespace_id, updated_at, id);
CREATE TRIGGER announce_deleted_epic AFTER DELETE ON epics FOR EACH ROW EXECUTE FUNCTION announce_epic();
CREATE TRIGGER announce_epic AFTER UPDATE ON epics FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION announce_epic();
CREATE TRIGGER announce_new_epic AFTER INSERT ON epics FOR EACH ROW EXECUTE FUNCTION announce_epic();

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
CREATE INDEX events_namespace ON events USING btree (namespace_id) WHERE (namespace_id IS NOT NULL);
CREATE INDEX events_project ON events USING btree (project_id, id DESC);
CREATE TRIGGER announce_repository_change AFTER INSERT ON events FOR EACH ROW WHEN (((new.kind = 'repository.updated'::text) AND (new.project_id IS NOT NULL))) EXECUTE FUNCTION announce_repository_change();

create table feature_flags (
  name text not null,
  gates jsonb default '[]'::jsonb not null,
  constraint feature_flags_pkey PRIMARY KEY (name)
);

create table feed_entries (
  id bigint generated always as identity not null,
  author_id bigint not null,
  project_id bigint not null,
  action text not null,
  target_type text,
  target_id bigint,
  push_data jsonb,
  created_at timestamp with time zone default now() not null,
  constraint feed_entries_pkey PRIMARY KEY (id),
  constraint feed_entries_action_check CHECK ((action = ANY (ARRAY['created'::text, 'updated'::text, 'closed'::text, 'reopened'::text, 'pushed'::text, 'commented'::text, 'merged'::text, 'joined'::text, 'left'::text, 'destroyed'::text, 'expired'::text, 'approved'::text]))),
  constraint feed_entries_check CHECK (((push_data IS NULL) = (target_type IS NOT NULL))),
  constraint feed_entries_check1 CHECK (((target_type IS NULL) = (target_id IS NULL))),
  constraint feed_entries_target_type_check CHECK ((target_type = ANY (ARRAY['issue'::text, 'milestone'::text, 'merge_request'::text, 'note'::text, 'project'::text, 'snippet'::text, 'wiki'::text]))),
  constraint feed_entries_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint feed_entries_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX feed_entries_author ON feed_entries USING btree (author_id, created_at DESC, id DESC);
CREATE INDEX feed_entries_author_target ON feed_entries USING btree (author_id, target_type, created_at DESC, id DESC) WHERE (target_type IS NOT NULL);
CREATE INDEX feed_entries_days ON feed_entries USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX feed_entries_project ON feed_entries USING btree (project_id, created_at DESC, id DESC);
CREATE INDEX feed_entries_project_target ON feed_entries USING btree (project_id, target_type, created_at DESC, id DESC) WHERE (target_type IS NOT NULL);
CREATE TRIGGER announce_activity AFTER INSERT ON feed_entries FOR EACH ROW EXECUTE FUNCTION announce_activity();

create table flag_clients (
  id bigint generated always as identity not null,
  project_id bigint not null,
  token text not null,
  created_at timestamp with time zone default now() not null,
  constraint flag_clients_pkey PRIMARY KEY (id),
  constraint flag_clients_project_id_key UNIQUE (project_id),
  constraint flag_clients_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

create table flag_user_lists (
  id bigint generated always as identity not null,
  project_id bigint not null,
  iid bigint not null,
  name text not null,
  user_xids text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint flag_user_lists_pkey PRIMARY KEY (id),
  constraint flag_user_lists_project_id_iid_key UNIQUE (project_id, iid),
  constraint flag_user_lists_project_id_name_key UNIQUE (project_id, name),
  constraint flag_user_lists_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

create table freeze_periods (
  id bigint generated always as identity not null,
  project_id bigint not null,
  freeze_start text not null,
  freeze_end text not null,
  cron_timezone text default 'UTC'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint freeze_periods_pkey PRIMARY KEY (id),
  constraint freeze_periods_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX freeze_periods_project ON freeze_periods USING btree (project_id, freeze_start, id);
CREATE TRIGGER announce_freeze_period AFTER INSERT OR DELETE OR UPDATE ON freeze_periods FOR EACH ROW EXECUTE FUNCTION announce_in_project('freeze_periods');

create table github_imports (
  id bigint generated always as identity not null,
  project_id bigint not null,
  base_url text not null,
  clone_url text not null,
  repository_id bigint not null,
  token text,
  attempts integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint github_imports_pkey PRIMARY KEY (id),
  constraint github_imports_project_id_key UNIQUE (project_id),
  constraint github_imports_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

create table gpg_keys (
  id bigint generated always as identity not null,
  user_id bigint not null,
  key text not null,
  fingerprint text not null,
  created_at timestamp with time zone default now() not null,
  key_ids text[],
  constraint gpg_keys_pkey PRIMARY KEY (id),
  constraint gpg_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX gpg_keys_fingerprint_key ON gpg_keys USING btree (fingerprint);
CREATE INDEX gpg_keys_key_ids ON gpg_keys USING gin (key_ids);
CREATE INDEX gpg_keys_unread ON gpg_keys USING btree (id) WHERE (key_ids IS NULL);
CREATE INDEX gpg_keys_user ON gpg_keys USING btree (user_id);

create table group_exports (
  id bigint generated always as identity not null,
  namespace_id bigint not null,
  user_id bigint,
  state text not null,
  request_key text not null,
  error text,
  object_id bigint,
  filename text,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint group_exports_pkey PRIMARY KEY (id),
  constraint group_exports_namespace_id_key UNIQUE (namespace_id),
  constraint group_exports_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'started'::text, 'finished'::text, 'failed'::text]))),
  constraint group_exports_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint group_exports_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint group_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX group_exports_object ON group_exports USING btree (object_id);
CREATE INDEX group_exports_user ON group_exports USING btree (user_id);
CREATE TRIGGER announce_group_export AFTER INSERT OR DELETE OR UPDATE ON group_exports FOR EACH ROW EXECUTE FUNCTION announce_group_archive('group_export');

create table group_imports (
  id bigint generated always as identity not null,
  namespace_id bigint not null,
  user_id bigint,
  state text not null,
  object_id bigint,
  error text,
  failures jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint group_imports_pkey PRIMARY KEY (id),
  constraint group_imports_namespace_id_key UNIQUE (namespace_id),
  constraint group_imports_state_check CHECK ((state = ANY (ARRAY['created'::text, 'started'::text, 'finished'::text, 'failed'::text]))),
  constraint group_imports_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint group_imports_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint group_imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX group_imports_object ON group_imports USING btree (object_id);
CREATE INDEX group_imports_user ON group_imports USING btree (user_id);
CREATE TRIGGER announce_group_import AFTER UPDATE OF state ON group_imports FOR EACH ROW EXECUTE FUNCTION announce_group_archive('group_import');

create table hook_deliveries (
  id bigint generated always as identity not null,
  hook_id bigint not null,
  event_id bigint,
  part integer default 0 not null,
  uuid uuid default gen_random_uuid() not null,
  trigger text not null,
  request_data text not null,
  status text default 'pending'::text not null,
  attempts integer default 0 not null,
  response_status integer,
  response_headers jsonb default '{}'::jsonb not null,
  response_body text default ''::text not null,
  error text,
  duration double precision,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint hook_deliveries_pkey PRIMARY KEY (id),
  constraint hook_deliveries_hook_id_event_id_part_key UNIQUE (hook_id, event_id, part),
  constraint hook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  constraint hook_deliveries_hook_id_fkey FOREIGN KEY (hook_id) REFERENCES hooks(id) ON DELETE CASCADE
);
CREATE INDEX hook_deliveries_created_at ON hook_deliveries USING btree (created_at);
CREATE INDEX hook_deliveries_hook ON hook_deliveries USING btree (hook_id, id DESC);
CREATE TRIGGER announce_hook AFTER INSERT OR UPDATE ON hook_deliveries FOR EACH ROW EXECUTE FUNCTION announce_hook();

create table hooks (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  url text not null,
  token text,
  switches text[] not null,
  push_events_branch_filter text,
  enable_ssl_verification boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint hooks_pkey PRIMARY KEY (id),
  constraint hooks_check CHECK (((project_id IS NULL) OR (namespace_id IS NULL))),
  constraint hooks_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint hooks_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX hooks_namespace ON hooks USING btree (namespace_id, id);
CREATE INDEX hooks_project ON hooks USING btree (project_id, id);
CREATE INDEX hooks_system ON hooks USING btree (id) WHERE ((project_id IS NULL) AND (namespace_id IS NULL));

create table identities (
  id bigint generated always as identity not null,
  user_id bigint not null,
  provider text not null,
  extern_uid text not null,
  created_at timestamp with time zone default now() not null,
  gave_admin boolean default false not null,
  gave_external boolean default false not null,
  left_at timestamp with time zone,
  blocked_account boolean default false not null,
  saml_provider_id bigint,
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_provider_extern_uid_key UNIQUE (provider, extern_uid),
  constraint identities_saml_provider_id_fkey FOREIGN KEY (saml_provider_id) REFERENCES saml_providers(id) ON DELETE CASCADE,
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX identities_provider_id ON identities USING btree (provider, id);
CREATE INDEX identities_saml_provider ON identities USING btree (saml_provider_id);
CREATE INDEX identities_user ON identities USING btree (user_id);

create table iid_counters (
  project_id bigint,
  namespace_id bigint,
  noun text not null,
  value bigint not null,
  constraint iid_counters_namespace_id_noun_key UNIQUE (namespace_id, noun),
  constraint iid_counters_project_id_noun_key UNIQUE (project_id, noun),
  constraint iid_counters_check CHECK ((num_nonnulls(project_id, namespace_id) = 1)),
  constraint iid_counters_noun_check CHECK ((noun = ANY (ARRAY['issue'::text, 'milestone'::text, 'iteration'::text, 'epic'::text, 'merge_request'::text, 'deployment'::text, 'pipeline'::text, 'flag_user_list'::text]))),
  constraint iid_counters_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint iid_counters_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);

create table import_failures (
  id bigint generated always as identity not null,
  project_id bigint not null,
  relation_name text not null,
  source text not null,
  exception_class text not null,
  exception_message text not null,
  created_at timestamp with time zone default now() not null,
  constraint import_failures_pkey PRIMARY KEY (id),
  constraint import_failures_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX import_failures_project ON import_failures USING btree (project_id, id);

create table incoming_mails (
  key text not null,
  created_at timestamp with time zone default now() not null,
  constraint incoming_mails_pkey PRIMARY KEY (key)
);
CREATE INDEX incoming_mails_created_at ON incoming_mails USING btree (created_at);

create table integration_deliveries (
  id bigint generated always as identity not null,
  integration_id bigint not null,
  project_id bigint not null,
  event_id bigint,
  part integer default 0 not null,
  trigger text not null,
  payload text not null,
  status text default 'pending'::text not null,
  attempts integer default 0 not null,
  done text[] default '{}'::text[] not null,
  exchanges jsonb default '[]'::jsonb not null,
  error text,
  created_at timestamp with time zone default now() not null,
  constraint integration_deliveries_pkey PRIMARY KEY (id),
  constraint integration_deliveries_integration_id_project_id_event_id_p_key UNIQUE (integration_id, project_id, event_id, part),
  constraint integration_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text]))),
  constraint integration_deliveries_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integrations(id) ON DELETE CASCADE,
  constraint integration_deliveries_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX integration_deliveries_created_at ON integration_deliveries USING btree (created_at);
CREATE INDEX integration_deliveries_integration ON integration_deliveries USING btree (integration_id, id DESC);
CREATE INDEX integration_deliveries_latest ON integration_deliveries USING btree (project_id, integration_id, id DESC);

create table integrations (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  slug text not null,
  active boolean default true not null,
  properties jsonb default '{}'::jsonb not null,
  secrets text,
  switches text[] default '{}'::text[] not null,
  comment_on_event_enabled boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint integrations_pkey PRIMARY KEY (id),
  constraint integrations_check CHECK (((project_id IS NULL) OR (namespace_id IS NULL))),
  constraint integrations_properties_check CHECK ((jsonb_typeof(properties) = 'object'::text)),
  constraint integrations_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint integrations_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX integrations_instance ON integrations USING btree (slug) WHERE ((project_id IS NULL) AND (namespace_id IS NULL));
CREATE INDEX integrations_namespace ON integrations USING btree (namespace_id, slug);
CREATE UNIQUE INDEX integrations_place ON integrations USING btree (COALESCE(project_id, (0)::bigint), COALESCE(namespace_id, (0)::bigint), slug);
CREATE INDEX integrations_project ON integrations USING btree (project_id, slug);

create table invitations (
  id bigint generated always as identity not null,
  namespace_id bigint,
  project_id bigint,
  email text not null,
  access_level integer not null,
  expires_at date,
  created_by_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  digest text,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_access_level_check CHECK ((access_level = ANY (ARRAY[10, 20, 30, 40, 50]))),
  constraint invitations_check CHECK ((num_nonnulls(namespace_id, project_id) = 1)),
  constraint invitations_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint invitations_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint invitations_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX invitations_created_by ON invitations USING btree (created_by_id);
CREATE UNIQUE INDEX invitations_digest ON invitations USING btree (digest);
CREATE INDEX invitations_email ON invitations USING btree (lower(email));
CREATE UNIQUE INDEX invitations_namespace_key ON invitations USING btree (namespace_id, lower(email));
CREATE UNIQUE INDEX invitations_project_key ON invitations USING btree (project_id, lower(email));

create table issue_assignees (
  issue_id bigint not null,
  user_id bigint not null,
  constraint issue_assignees_pkey PRIMARY KEY (issue_id, user_id),
  constraint issue_assignees_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint issue_assignees_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX issue_assignees_user ON issue_assignees USING btree (user_id, issue_id);

create table issue_email_participants (
  id bigint generated always as identity not null,
  issue_id bigint not null,
  email text not null,
  message_id text,
  created_at timestamp with time zone default now() not null,
  constraint issue_email_participants_pkey PRIMARY KEY (id),
  constraint issue_email_participants_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX issue_email_participants_issue ON issue_email_participants USING btree (issue_id, lower(email));

create table issue_labels (
  issue_id bigint not null,
  label_id bigint not null,
  constraint issue_labels_pkey PRIMARY KEY (issue_id, label_id),
  constraint issue_labels_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint issue_labels_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE CASCADE
);
CREATE INDEX issue_labels_label ON issue_labels USING btree (label_id, issue_id);
CREATE TRIGGER note_new_issue_labels AFTER INSERT ON issue_labels REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_issue_labels();
CREATE TRIGGER note_old_issue_labels AFTER DELETE ON issue_labels REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_issue_labels();

create table issue_links (
  id bigint generated always as identity not null,
  source_id bigint not null,
  target_id bigint not null,
  link_type text default 'relates_to'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint issue_links_pkey PRIMARY KEY (id),
  constraint issue_links_check CHECK ((source_id <> target_id)),
  constraint issue_links_link_type_check CHECK ((link_type = ANY (ARRAY['relates_to'::text, 'blocks'::text]))),
  constraint issue_links_source_id_fkey FOREIGN KEY (source_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint issue_links_target_id_fkey FOREIGN KEY (target_id) REFERENCES issues(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX issue_links_pair_key ON issue_links USING btree (LEAST(source_id, target_id), GREATEST(source_id, target_id));
CREATE INDEX issue_links_source ON issue_links USING btree (source_id);
CREATE INDEX issue_links_target ON issue_links USING btree (target_id);

create table issue_user_agents (
  issue_id bigint not null,
  user_agent text not null,
  ip_address text not null,
  constraint issue_user_agents_pkey PRIMARY KEY (issue_id),
  constraint issue_user_agents_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE
);

create table issues (
  id bigint generated always as identity not null,
  iid bigint not null,
  project_id bigint not null,
  author_id bigint not null,
  title text not null,
  description text,
  state text default 'opened'::text not null,
  issue_type text default 'issue'::text not null,
  confidential boolean default false not null,
  discussion_locked boolean default false not null,
  due_date date,
  weight integer,
  health_status text,
  milestone_id bigint,
  iteration_id bigint,
  epic_id bigint,
  relative_position numeric default nextval('issue_positions'::regclass) not null,
  closed_at timestamp with time zone,
  closed_by_id bigint,
  moved_to_id bigint,
  duplicated_to_id bigint,
  time_estimate integer default 0 not null,
  total_time_spent integer default 0 not null,
  upvotes integer default 0 not null,
  downvotes integer default 0 not null,
  user_notes_count integer default 0 not null,
  merge_requests_count integer default 0 not null,
  tasks_count integer default 0 not null,
  tasks_completed_count integer default 0 not null,
  last_edited_at timestamp with time zone,
  last_edited_by_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  epic_position integer default 0 not null,
  milestone_due_on date,
  label_priority integer,
  promoted_to_epic_id bigint,
  service_desk_reply_to text,
  constraint issues_pkey PRIMARY KEY (id),
  constraint issues_iid_key UNIQUE (project_id, iid),
  constraint issues_check CHECK (((state = 'closed'::text) = (closed_at IS NOT NULL))),
  constraint issues_health_status_check CHECK ((health_status = ANY (ARRAY['on_track'::text, 'needs_attention'::text, 'at_risk'::text]))),
  constraint issues_issue_type_check CHECK ((issue_type = ANY (ARRAY['issue'::text, 'incident'::text, 'test_case'::text]))),
  constraint issues_state_check CHECK ((state = ANY (ARRAY['opened'::text, 'closed'::text]))),
  constraint issues_time_estimate_check CHECK ((time_estimate >= 0)),
  constraint issues_total_time_spent_check CHECK ((total_time_spent >= 0)),
  constraint issues_weight_check CHECK ((weight >= 0)),
  constraint issues_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint issues_closed_by_id_fkey FOREIGN KEY (closed_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint issues_duplicated_to_id_fkey FOREIGN KEY (duplicated_to_id) REFERENCES issues(id) ON DELETE SET NULL,
  constraint issues_epic_fkey FOREIGN KEY (epic_id) REFERENCES epics(id) ON DELETE SET NULL,
  constraint issues_iteration_id_fkey FOREIGN KEY (iteration_id) REFERENCES iterations(id) ON DELETE SET NULL,
  constraint issues_last_edited_by_id_fkey FOREIGN KEY (last_edited_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint issues_milestone_id_fkey FOREIGN KEY (milestone_id) REFERENCES milestones(id) ON DELETE SET NULL,
  constraint issues_moved_to_id_fkey FOREIGN KEY (moved_to_id) REFERENCES issues(id) ON DELETE SET NULL,
  constraint issues_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint issues_promoted_to_epic_id_fkey FOREIGN KEY (promoted_to_epic_id) REFERENCES epics(id) ON DELETE SET NULL
);
CREATE INDEX issues_author ON issues USING btree (author_id, created_at, id);
CREATE INDEX issues_closed_by ON issues USING btree (closed_by_id) WHERE (closed_by_id IS NOT NULL);
CREATE INDEX issues_confidential ON issues USING btree (project_id, id) INCLUDE (author_id) WHERE confidential;
CREATE INDEX issues_created_at ON issues USING btree (created_at, id);
CREATE INDEX issues_description_trgm ON issues USING gin (description gin_trgm_ops);
CREATE INDEX issues_due_date ON issues USING btree (due_date, id);
CREATE INDEX issues_due_date_desc ON issues USING btree (due_date DESC NULLS LAST, id DESC);
CREATE INDEX issues_duplicated_to ON issues USING btree (duplicated_to_id) WHERE (duplicated_to_id IS NOT NULL);
CREATE INDEX issues_epic ON issues USING btree (epic_id, epic_position, id) WHERE (epic_id IS NOT NULL);
CREATE INDEX issues_iteration ON issues USING btree (iteration_id, id) WHERE (iteration_id IS NOT NULL);
CREATE INDEX issues_label_priority ON issues USING btree (label_priority, id);
CREATE INDEX issues_label_priority_desc ON issues USING btree (label_priority DESC NULLS LAST, id DESC);
CREATE INDEX issues_last_edited_by ON issues USING btree (last_edited_by_id) WHERE (last_edited_by_id IS NOT NULL);
CREATE INDEX issues_milestone ON issues USING btree (milestone_id, id) WHERE (milestone_id IS NOT NULL);
CREATE INDEX issues_milestone_due ON issues USING btree (milestone_due_on, id);
CREATE INDEX issues_milestone_due_desc ON issues USING btree (milestone_due_on DESC NULLS LAST, id DESC);
CREATE INDEX issues_moved_to ON issues USING btree (moved_to_id) WHERE (moved_to_id IS NOT NULL);
CREATE INDEX issues_other_types ON issues USING btree (issue_type, project_id) INCLUDE (confidential, author_id, id) WHERE (issue_type <> 'issue'::text);
CREATE INDEX issues_position ON issues USING btree (relative_position, id);
CREATE INDEX issues_priority ON issues USING btree (milestone_due_on, label_priority, id);
CREATE INDEX issues_priority_desc ON issues USING btree (milestone_due_on DESC NULLS LAST, label_priority DESC NULLS LAST, id DESC);
CREATE INDEX issues_project_closed_at ON issues USING btree (project_id, closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX issues_project_closed_state ON issues USING btree (project_id, closed_at DESC, id DESC) WHERE (state = 'closed'::text);
CREATE INDEX issues_project_created_at ON issues USING btree (project_id, created_at, id);
CREATE INDEX issues_project_due_date ON issues USING btree (project_id, due_date, id);
CREATE INDEX issues_project_due_date_desc ON issues USING btree (project_id, due_date DESC NULLS LAST, id DESC);
CREATE INDEX issues_project_label_priority ON issues USING btree (project_id, label_priority, id);
CREATE INDEX issues_project_label_priority_desc ON issues USING btree (project_id, label_priority DESC NULLS LAST, id DESC);
CREATE INDEX issues_project_milestone_due ON issues USING btree (project_id, milestone_due_on, id);
CREATE INDEX issues_project_milestone_due_desc ON issues USING btree (project_id, milestone_due_on DESC NULLS LAST, id DESC);
CREATE INDEX issues_project_position ON issues USING btree (project_id, relative_position, id);
CREATE INDEX issues_project_priority ON issues USING btree (project_id, milestone_due_on, label_priority, id);
CREATE INDEX issues_project_priority_desc ON issues USING btree (project_id, milestone_due_on DESC NULLS LAST, label_priority DESC NULLS LAST, id DESC);
CREATE INDEX issues_project_updated_at ON issues USING btree (project_id, updated_at, id);
CREATE INDEX issues_project_upvotes ON issues USING btree (project_id, upvotes, id);
CREATE INDEX issues_project_weight ON issues USING btree (project_id, weight, id);
CREATE INDEX issues_project_weight_desc ON issues USING btree (project_id, weight DESC NULLS LAST, id DESC);
CREATE INDEX issues_promoted_to_epic ON issues USING btree (promoted_to_epic_id) WHERE (promoted_to_epic_id IS NOT NULL);
CREATE INDEX issues_title_trgm ON issues USING gin (title gin_trgm_ops);
CREATE INDEX issues_updated_at ON issues USING btree (updated_at, id);
CREATE INDEX issues_upvotes ON issues USING btree (upvotes, id);
CREATE INDEX issues_visible ON issues USING btree (project_id, state) INCLUDE (confidential, author_id, id);
CREATE INDEX issues_weight ON issues USING btree (weight, id);
CREATE INDEX issues_weight_desc ON issues USING btree (weight DESC NULLS LAST, id DESC);
CREATE TRIGGER announce_deleted_issue AFTER DELETE ON issues FOR EACH ROW EXECUTE FUNCTION announce_moved_issue();
CREATE TRIGGER announce_deleted_issue_of_epic AFTER DELETE ON issues FOR EACH ROW WHEN ((old.epic_id IS NOT NULL)) EXECUTE FUNCTION announce_issue_of_epic();
CREATE TRIGGER announce_deleted_planned_issue AFTER DELETE ON issues FOR EACH ROW WHEN ((old.milestone_id IS NOT NULL)) EXECUTE FUNCTION announce_planned();
CREATE TRIGGER announce_issue AFTER UPDATE ON issues FOR EACH ROW WHEN ((old.updated_at IS DISTINCT FROM new.updated_at)) EXECUTE FUNCTION announce_issue();
CREATE TRIGGER announce_issue_in_groups AFTER UPDATE ON issues FOR EACH ROW WHEN ((old.updated_at IS DISTINCT FROM new.updated_at)) EXECUTE FUNCTION announce_issue_in_groups();
CREATE TRIGGER announce_issue_of_epic AFTER UPDATE ON issues FOR EACH ROW WHEN ((((old.epic_id IS NOT NULL) OR (new.epic_id IS NOT NULL)) AND (((((((old.epic_id IS DISTINCT FROM new.epic_id) OR (old.epic_position IS DISTINCT FROM new.epic_position)) OR (old.state IS DISTINCT FROM new.state)) OR (old.weight IS DISTINCT FROM new.weight)) OR (old.title IS DISTINCT FROM new.title)) OR (old.milestone_id IS DISTINCT FROM new.milestone_id)) OR (old.confidential IS DISTINCT FROM new.confidential)))) EXECUTE FUNCTION announce_issue_of_epic();
CREATE TRIGGER announce_moved_issue AFTER UPDATE OF relative_position ON issues FOR EACH ROW WHEN ((old.relative_position IS DISTINCT FROM new.relative_position)) EXECUTE FUNCTION announce_moved_issue();
CREATE TRIGGER announce_new_issue AFTER INSERT ON issues FOR EACH ROW EXECUTE FUNCTION announce_issue();
CREATE TRIGGER announce_new_issue_in_groups AFTER INSERT ON issues FOR EACH ROW EXECUTE FUNCTION announce_issue_in_groups();
CREATE TRIGGER announce_new_issue_of_epic AFTER INSERT ON issues FOR EACH ROW WHEN ((new.epic_id IS NOT NULL)) EXECUTE FUNCTION announce_issue_of_epic();
CREATE TRIGGER announce_newly_planned_issue AFTER INSERT ON issues FOR EACH ROW WHEN ((new.milestone_id IS NOT NULL)) EXECUTE FUNCTION announce_planned();
CREATE TRIGGER announce_planned_issue AFTER UPDATE ON issues FOR EACH ROW WHEN (((old.updated_at IS DISTINCT FROM new.updated_at) AND (COALESCE(new.milestone_id, old.milestone_id) IS NOT NULL))) EXECUTE FUNCTION announce_planned();
CREATE TRIGGER set_milestone_due_on BEFORE INSERT OR UPDATE OF milestone_id ON issues FOR EACH ROW EXECUTE FUNCTION set_milestone_due_on();

create table iterations (
  id bigint generated always as identity not null,
  iid bigint not null,
  namespace_id bigint not null,
  title text not null,
  description text,
  start_date date not null,
  due_date date not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint iterations_pkey PRIMARY KEY (id),
  constraint iterations_iid_key UNIQUE (namespace_id, iid),
  constraint iterations_title_key UNIQUE (namespace_id, title),
  constraint iterations_check CHECK ((start_date <= due_date)),
  constraint iterations_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE
);
CREATE INDEX iterations_dates ON iterations USING btree (namespace_id, due_date, id);
CREATE INDEX iterations_title ON iterations USING btree (title);

create table job_artifacts (
  id bigint generated always as identity not null,
  job_id bigint not null,
  project_id bigint not null,
  file_type text not null,
  file_format text,
  filename text not null,
  object_id bigint not null,
  size bigint not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  sweep_at timestamp with time zone,
  constraint job_artifacts_pkey PRIMARY KEY (id),
  constraint job_artifacts_type_key UNIQUE (job_id, file_type),
  constraint job_artifacts_file_format_check CHECK ((file_format = ANY (ARRAY['raw'::text, 'zip'::text, 'gzip'::text]))),
  constraint job_artifacts_size_check CHECK ((size >= 0)),
  constraint job_artifacts_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE,
  constraint job_artifacts_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint job_artifacts_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX job_artifacts_object ON job_artifacts USING btree (object_id);
CREATE INDEX job_artifacts_project ON job_artifacts USING btree (project_id, id);
CREATE INDEX job_artifacts_sweep_at ON job_artifacts USING btree (sweep_at, id) WHERE (sweep_at IS NOT NULL);
CREATE TRIGGER count_added_artifacts AFTER INSERT ON job_artifacts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_artifacts();
CREATE TRIGGER count_removed_artifacts AFTER DELETE ON job_artifacts REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_artifacts();

create table job_needs (
  job_id bigint not null,
  name text not null,
  artifacts boolean default true not null,
  optional boolean default false not null,
  pipeline_id bigint not null,
  constraint job_needs_pkey PRIMARY KEY (job_id, name),
  constraint job_needs_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
);
CREATE INDEX job_needs_needed ON job_needs USING btree (pipeline_id, name, job_id);

create table job_token_scope_groups (
  project_id bigint not null,
  target_group_id bigint not null,
  added_by_id bigint,
  created_at timestamp with time zone default now() not null,
  constraint job_token_scope_groups_pkey PRIMARY KEY (project_id, target_group_id),
  constraint job_token_scope_groups_added_by_id_fkey FOREIGN KEY (added_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint job_token_scope_groups_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint job_token_scope_groups_target_group_id_fkey FOREIGN KEY (target_group_id) REFERENCES namespaces(id) ON DELETE CASCADE
);
CREATE INDEX job_token_scope_groups_added_by ON job_token_scope_groups USING btree (added_by_id);
CREATE INDEX job_token_scope_groups_target ON job_token_scope_groups USING btree (target_group_id);

create table job_token_scope_projects (
  project_id bigint not null,
  direction text not null,
  target_project_id bigint not null,
  added_by_id bigint,
  created_at timestamp with time zone default now() not null,
  constraint job_token_scope_projects_pkey PRIMARY KEY (project_id, direction, target_project_id),
  constraint job_token_scope_projects_check CHECK ((project_id <> target_project_id)),
  constraint job_token_scope_projects_direction_check CHECK ((direction = ANY (ARRAY['inbound'::text, 'outbound'::text]))),
  constraint job_token_scope_projects_added_by_id_fkey FOREIGN KEY (added_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint job_token_scope_projects_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint job_token_scope_projects_target_project_id_fkey FOREIGN KEY (target_project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX job_token_scope_projects_added_by ON job_token_scope_projects USING btree (added_by_id);
CREATE INDEX job_token_scope_projects_target ON job_token_scope_projects USING btree (target_project_id);

create table job_trace_chunks (
  job_id bigint not null,
  start bigint not null,
  bytes bytea not null,
  constraint job_trace_chunks_pkey PRIMARY KEY (job_id, start),
  constraint job_trace_chunks_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
);
CREATE TRIGGER announce_trace AFTER INSERT OR UPDATE ON job_trace_chunks FOR EACH ROW EXECUTE FUNCTION announce_trace();

create table jobs (
  id bigint generated always as identity not null,
  project_id bigint not null,
  pipeline_id bigint not null,
  kind text default 'build'::text not null,
  name text not null,
  stage text not null,
  stage_position integer not null,
  status text default 'created'::text not null,
  failure_reason text,
  exit_code integer,
  "when" text default 'on_success'::text not null,
  allow_failure boolean default false not null,
  scheduling text default 'stage'::text not null,
  user_id bigint,
  runner_id bigint,
  retried boolean default false not null,
  retries integer default 0 not null,
  interruptible boolean default false not null,
  protected boolean default false not null,
  tags text[] default '{}'::text[] not null,
  coverage double precision,
  environment_id bigint,
  environment text,
  resource_group_id bigint,
  timeout integer,
  options jsonb default '{}'::jsonb not null,
  variables jsonb default '[]'::jsonb not null,
  token_digest text,
  trace_size bigint default 0 not null,
  artifacts_expire_at timestamp with time zone,
  erased_at timestamp with time zone,
  erased_by_id bigint,
  scheduled_at timestamp with time zone,
  queued_at timestamp with time zone,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  contacted_at timestamp with time zone,
  target_url text,
  description text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  handed_out_digest text,
  trace_checksum bigint default 0 not null,
  disputed_at timestamp with time zone,
  mirrored_pipeline_id bigint,
  debug_trace boolean default false not null,
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_kind_check CHECK ((kind = ANY (ARRAY['build'::text, 'bridge'::text, 'external'::text]))),
  constraint jobs_scheduling_check CHECK ((scheduling = ANY (ARRAY['stage'::text, 'dag'::text]))),
  constraint jobs_status_check CHECK ((status = ANY (ARRAY['created'::text, 'waiting_for_resource'::text, 'preparing'::text, 'pending'::text, 'running'::text, 'success'::text, 'failed'::text, 'canceled'::text, 'skipped'::text, 'manual'::text, 'scheduled'::text]))),
  constraint jobs_when_check CHECK (("when" = ANY (ARRAY['on_success'::text, 'on_failure'::text, 'always'::text, 'manual'::text, 'delayed'::text]))),
  constraint jobs_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environments(id) ON DELETE SET NULL,
  constraint jobs_erased_by_id_fkey FOREIGN KEY (erased_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint jobs_mirrored_pipeline_id_fkey FOREIGN KEY (mirrored_pipeline_id) REFERENCES pipelines(id) ON DELETE SET NULL,
  constraint jobs_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES pipelines(id) ON DELETE CASCADE,
  constraint jobs_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint jobs_resource_group_id_fkey FOREIGN KEY (resource_group_id) REFERENCES resource_groups(id) ON DELETE SET NULL,
  constraint jobs_runner_id_fkey FOREIGN KEY (runner_id) REFERENCES runners(id) ON DELETE SET NULL,
  constraint jobs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX jobs_days ON jobs USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX jobs_environment ON jobs USING btree (environment_id, id) WHERE (environment_id IS NOT NULL);
CREATE INDEX jobs_erased_by ON jobs USING btree (erased_by_id) WHERE (erased_by_id IS NOT NULL);
CREATE INDEX jobs_mirrored_pipeline ON jobs USING btree (mirrored_pipeline_id) WHERE (mirrored_pipeline_id IS NOT NULL);
CREATE INDEX jobs_pending ON jobs USING btree (project_id, id) WHERE ((status = 'pending'::text) AND (kind = 'build'::text));
CREATE INDEX jobs_pipeline ON jobs USING btree (pipeline_id, id);
CREATE INDEX jobs_pipeline_name ON jobs USING btree (pipeline_id, name, id);
CREATE INDEX jobs_project_kind ON jobs USING btree (project_id, kind, id);
CREATE INDEX jobs_project_status ON jobs USING btree (project_id, status, id) WHERE (kind = 'build'::text);
CREATE INDEX jobs_resource_group ON jobs USING btree (resource_group_id, status, id) WHERE (resource_group_id IS NOT NULL);
CREATE INDEX jobs_runner ON jobs USING btree (runner_id, id) WHERE (runner_id IS NOT NULL);
CREATE INDEX jobs_running ON jobs USING btree (project_id) WHERE ((status = 'running'::text) AND (kind = 'build'::text));
CREATE INDEX jobs_scheduled ON jobs USING btree (scheduled_at) WHERE (status = 'scheduled'::text);
CREATE INDEX jobs_status ON jobs USING btree (status, id) WHERE (kind = 'build'::text);
CREATE UNIQUE INDEX jobs_token_digest_key ON jobs USING btree (token_digest) WHERE (token_digest IS NOT NULL);
CREATE INDEX jobs_turns ON jobs USING btree (pipeline_id, stage_position, status, allow_failure, scheduling) WHERE (NOT retried);
CREATE INDEX jobs_user ON jobs USING btree (user_id);
CREATE INDEX jobs_watched ON jobs USING btree (contacted_at) WHERE ((status = 'running'::text) AND (kind = 'build'::text));
CREATE TRIGGER announce_job AFTER UPDATE OF status, retried ON jobs FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) OR (old.retried IS DISTINCT FROM new.retried))) EXECUTE FUNCTION announce_job();
CREATE TRIGGER announce_new_job AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION announce_job();
CREATE TRIGGER announce_pending_job AFTER INSERT OR UPDATE OF status ON jobs FOR EACH ROW WHEN (((new.status = 'pending'::text) AND (new.kind = 'build'::text))) EXECUTE FUNCTION announce_pending_job();
CREATE TRIGGER announce_waiting_deployment AFTER UPDATE OF status ON jobs FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.environment_id IS NOT NULL))) EXECUTE FUNCTION announce_in_project('environments');
CREATE TRIGGER announce_waiting_job AFTER UPDATE OF status ON jobs FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND (new.resource_group_id IS NOT NULL))) EXECUTE FUNCTION announce_in_project('resource_groups');

create table jobs_with_artifacts (
  job_id bigint not null,
  project_id bigint not null,
  ref text not null,
  size bigint not null,
  files integer not null,
  constraint jobs_with_artifacts_pkey PRIMARY KEY (job_id),
  constraint jobs_with_artifacts_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE,
  constraint jobs_with_artifacts_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX jobs_with_artifacts_age ON jobs_with_artifacts USING btree (project_id, job_id);
CREATE INDEX jobs_with_artifacts_ref ON jobs_with_artifacts USING btree (project_id, ref, job_id);
CREATE INDEX jobs_with_artifacts_ref_size ON jobs_with_artifacts USING btree (project_id, ref, size, job_id);
CREATE INDEX jobs_with_artifacts_size ON jobs_with_artifacts USING btree (project_id, size, job_id);

create table keys (
  id bigint generated always as identity not null,
  user_id bigint,
  title text not null,
  key text not null,
  fingerprint text not null,
  fingerprint_sha256 text not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  public boolean default false not null,
  expiry_mailed boolean default false not null,
  created_by bigint,
  constraint keys_pkey PRIMARY KEY (id),
  constraint keys_of_people CHECK (((user_id IS NULL) OR (NOT public))),
  constraint keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX keys_created_by ON keys USING btree (created_by);
CREATE INDEX keys_expires_at ON keys USING btree (expires_at) WHERE (NOT expiry_mailed);
CREATE UNIQUE INDEX keys_fingerprint_sha256_key ON keys USING btree (fingerprint_sha256);
CREATE INDEX keys_user ON keys USING btree (user_id);

create table label_priorities (
  label_id bigint not null,
  project_id bigint not null,
  priority integer not null,
  constraint label_priorities_pkey PRIMARY KEY (label_id, project_id),
  constraint label_priorities_priority_check CHECK ((priority >= 0)),
  constraint label_priorities_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE CASCADE,
  constraint label_priorities_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX label_priorities_project ON label_priorities USING btree (project_id, priority);
CREATE TRIGGER note_label_priority AFTER INSERT OR DELETE OR UPDATE ON label_priorities FOR EACH ROW EXECUTE FUNCTION note_label_priority();

create table labels (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  name text not null,
  color text not null,
  description text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint labels_pkey PRIMARY KEY (id),
  constraint labels_group_name_key UNIQUE (namespace_id, name),
  constraint labels_project_name_key UNIQUE (project_id, name),
  constraint labels_check CHECK ((num_nonnulls(project_id, namespace_id) = 1)),
  constraint labels_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint labels_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX labels_name ON labels USING btree (name, id);
CREATE INDEX labels_name_lower ON labels USING btree (lower(name));

create table ldap_group_links (
  id bigint generated always as identity not null,
  namespace_id bigint not null,
  provider text not null,
  cn text,
  filter text,
  access_level integer not null,
  created_at timestamp with time zone default now() not null,
  constraint ldap_group_links_pkey PRIMARY KEY (id),
  constraint ldap_group_links_check CHECK (((cn IS NULL) <> (filter IS NULL))),
  constraint ldap_group_links_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX ldap_group_links_cn ON ldap_group_links USING btree (namespace_id, provider, lower(cn));
CREATE UNIQUE INDEX ldap_group_links_filter ON ldap_group_links USING btree (namespace_id, provider, filter);
CREATE INDEX ldap_group_links_provider ON ldap_group_links USING btree (provider);

create table lfs_locks (
  id bigint generated always as identity not null,
  project_id bigint not null,
  user_id bigint not null,
  path text not null,
  locked_at timestamp with time zone default now() not null,
  constraint lfs_locks_pkey PRIMARY KEY (id),
  constraint lfs_locks_path_key UNIQUE (project_id, path),
  constraint lfs_locks_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint lfs_locks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX lfs_locks_user ON lfs_locks USING btree (user_id);

create table lfs_objects (
  id bigint generated always as identity not null,
  oid text not null,
  size bigint not null,
  object_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint lfs_objects_pkey PRIMARY KEY (id),
  constraint lfs_objects_oid_key UNIQUE (oid),
  constraint lfs_objects_oid_check CHECK ((oid ~ '^[0-9a-f]{64}$'::text)),
  constraint lfs_objects_size_check CHECK ((size >= 0)),
  constraint lfs_objects_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id)
);
CREATE INDEX lfs_objects_object ON lfs_objects USING btree (object_id);

create table lfs_objects_projects (
  project_id bigint not null,
  lfs_object_id bigint not null,
  constraint lfs_objects_projects_pkey PRIMARY KEY (project_id, lfs_object_id),
  constraint lfs_objects_projects_lfs_object_id_fkey FOREIGN KEY (lfs_object_id) REFERENCES lfs_objects(id),
  constraint lfs_objects_projects_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX lfs_objects_projects_object ON lfs_objects_projects USING btree (lfs_object_id);

create table line_reports (
  artifact_id bigint not null,
  error text,
  created_at timestamp with time zone default now() not null,
  constraint line_reports_pkey PRIMARY KEY (artifact_id),
  constraint line_reports_artifact_id_fkey FOREIGN KEY (artifact_id) REFERENCES job_artifacts(id) ON DELETE CASCADE
);
CREATE TRIGGER announce_report AFTER INSERT ON line_reports FOR EACH ROW EXECUTE FUNCTION announce_report();

create table live_watches (
  topic text not null,
  process uuid not null,
  expires_at timestamp with time zone not null,
  constraint live_watches_pkey PRIMARY KEY (topic, process)
);

create table mail_bodies (
  id bigint generated always as identity not null,
  content text not null,
  created_at timestamp with time zone default now() not null,
  constraint mail_bodies_pkey PRIMARY KEY (id)
);
CREATE INDEX mail_bodies_created_at ON mail_bodies USING btree (created_at);

create table mails (
  id bigint generated always as identity not null,
  kind text not null,
  user_id bigint,
  recipient text not null,
  subject text not null,
  content text not null,
  kept boolean default false not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  body_id bigint,
  about jsonb,
  gathered text,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_gathered_check CHECK ((gathered = ANY (ARRAY['hourly'::text, 'daily'::text]))),
  constraint mails_body_id_fkey FOREIGN KEY (body_id) REFERENCES mail_bodies(id) ON DELETE CASCADE,
  constraint mails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX mails_body ON mails USING btree (body_id);
CREATE INDEX mails_created_at ON mails USING btree (created_at) WHERE (NOT kept);
CREATE INDEX mails_gathered ON mails USING btree (user_id, id) WHERE (gathered IS NOT NULL);
CREATE INDEX mails_kept ON mails USING btree (id) WHERE kept;
CREATE INDEX mails_user ON mails USING btree (user_id);

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

create table merge_request_assignees (
  merge_request_id bigint not null,
  user_id bigint not null,
  constraint merge_request_assignees_pkey PRIMARY KEY (merge_request_id, user_id),
  constraint merge_request_assignees_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint merge_request_assignees_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX merge_request_assignees_user ON merge_request_assignees USING btree (user_id, merge_request_id);

create table merge_request_closing_issues (
  merge_request_id bigint not null,
  issue_id bigint not null,
  constraint merge_request_closing_issues_pkey PRIMARY KEY (merge_request_id, issue_id),
  constraint merge_request_closing_issues_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint merge_request_closing_issues_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE
);
CREATE INDEX merge_request_closing_issues_issue ON merge_request_closing_issues USING btree (issue_id, merge_request_id);

create table merge_request_commits (
  merge_request_id bigint not null,
  sha text not null,
  constraint merge_request_commits_pkey PRIMARY KEY (merge_request_id, sha),
  constraint merge_request_commits_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE
);
CREATE INDEX merge_request_commits_sha ON merge_request_commits USING btree (sha, merge_request_id);

create table merge_request_context_commits (
  merge_request_id bigint not null,
  sha text not null,
  committed_at timestamp with time zone not null,
  constraint merge_request_context_commits_pkey PRIMARY KEY (merge_request_id, sha),
  constraint merge_request_context_commits_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE
);

create table merge_request_labels (
  merge_request_id bigint not null,
  label_id bigint not null,
  constraint merge_request_labels_pkey PRIMARY KEY (merge_request_id, label_id),
  constraint merge_request_labels_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE CASCADE,
  constraint merge_request_labels_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE
);
CREATE INDEX merge_request_labels_label ON merge_request_labels USING btree (label_id, merge_request_id);

create table merge_request_reviewers (
  merge_request_id bigint not null,
  user_id bigint not null,
  state text default 'unreviewed'::text not null,
  created_at timestamp with time zone default now() not null,
  constraint merge_request_reviewers_pkey PRIMARY KEY (merge_request_id, user_id),
  constraint merge_request_reviewers_state_check CHECK ((state = ANY (ARRAY['unreviewed'::text, 'reviewed'::text]))),
  constraint merge_request_reviewers_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint merge_request_reviewers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX merge_request_reviewers_user ON merge_request_reviewers USING btree (user_id, merge_request_id);

create table merge_request_versions (
  id bigint generated always as identity not null,
  merge_request_id bigint not null,
  head_commit_sha text not null,
  base_commit_sha text not null,
  start_commit_sha text not null,
  state text default 'collected'::text not null,
  real_size integer not null,
  commits_count integer not null,
  created_at timestamp with time zone default now() not null,
  constraint merge_request_versions_pkey PRIMARY KEY (id),
  constraint merge_request_versions_state_check CHECK ((state = ANY (ARRAY['empty'::text, 'collected'::text, 'overflow'::text, 'overflow_diff_files_limit'::text, 'overflow_diff_lines_limit'::text, 'without_files'::text]))),
  constraint merge_request_versions_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE
);
CREATE INDEX merge_request_versions_of ON merge_request_versions USING btree (merge_request_id, id);

create table merge_requests (
  id bigint generated always as identity not null,
  iid bigint not null,
  project_id bigint not null,
  source_project_id bigint,
  source_branch text not null,
  target_branch text not null,
  author_id bigint not null,
  title text not null,
  description text,
  draft boolean default false not null,
  state text default 'opened'::text not null,
  merge_status text default 'unchecked'::text not null,
  merge_error text,
  head_sha text,
  latest_version_id bigint,
  milestone_id bigint,
  discussion_locked boolean,
  allow_collaboration boolean default false not null,
  squash boolean default false not null,
  force_remove_source_branch boolean,
  should_remove_source_branch boolean,
  approvals_before_merge integer,
  merge_when_pipeline_succeeds boolean default false not null,
  merge_user_id bigint,
  auto_merge_sha text,
  merge_commit_message text,
  squash_commit_message text,
  merge_commit_sha text,
  squash_commit_sha text,
  merged_commit_sha text,
  merged_at timestamp with time zone,
  merged_by_id bigint,
  closed_at timestamp with time zone,
  closed_by_id bigint,
  rebase_requested_at timestamp with time zone,
  first_deployed_to_production_at timestamp with time zone,
  time_estimate integer default 0 not null,
  total_time_spent integer default 0 not null,
  upvotes integer default 0 not null,
  downvotes integer default 0 not null,
  user_notes_count integer default 0 not null,
  tasks_count integer default 0 not null,
  tasks_completed_count integer default 0 not null,
  last_edited_at timestamp with time zone,
  last_edited_by_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  merge_state_changed_at timestamp with time zone,
  code_owners_file text,
  constraint merge_requests_pkey PRIMARY KEY (id),
  constraint merge_requests_iid_key UNIQUE (project_id, iid),
  constraint merge_requests_approvals_before_merge_check CHECK ((approvals_before_merge >= 0)),
  constraint merge_requests_check CHECK (((state = 'merged'::text) = (merged_at IS NOT NULL))),
  constraint merge_requests_check1 CHECK (((state <> 'closed'::text) OR (closed_at IS NOT NULL))),
  constraint merge_requests_merge_status_check CHECK ((merge_status = ANY (ARRAY['unchecked'::text, 'checking'::text, 'can_be_merged'::text, 'cannot_be_merged'::text, 'cannot_be_merged_recheck'::text]))),
  constraint merge_requests_state_check CHECK ((state = ANY (ARRAY['opened'::text, 'closed'::text, 'locked'::text, 'merged'::text]))),
  constraint merge_requests_time_estimate_check CHECK ((time_estimate >= 0)),
  constraint merge_requests_total_time_spent_check CHECK ((total_time_spent >= 0)),
  constraint merge_requests_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint merge_requests_closed_by_id_fkey FOREIGN KEY (closed_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint merge_requests_last_edited_by_id_fkey FOREIGN KEY (last_edited_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint merge_requests_latest_version_fkey FOREIGN KEY (latest_version_id) REFERENCES merge_request_versions(id) ON DELETE SET NULL,
  constraint merge_requests_merge_user_id_fkey FOREIGN KEY (merge_user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint merge_requests_merged_by_id_fkey FOREIGN KEY (merged_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint merge_requests_milestone_id_fkey FOREIGN KEY (milestone_id) REFERENCES milestones(id) ON DELETE SET NULL,
  constraint merge_requests_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint merge_requests_source_project_id_fkey FOREIGN KEY (source_project_id) REFERENCES projects(id) ON DELETE SET NULL
);
CREATE INDEX merge_requests_author ON merge_requests USING btree (author_id, created_at, id);
CREATE INDEX merge_requests_closed_by ON merge_requests USING btree (closed_by_id);
CREATE INDEX merge_requests_created_at ON merge_requests USING btree (created_at, id);
CREATE INDEX merge_requests_description_trgm ON merge_requests USING gin (description gin_trgm_ops);
CREATE INDEX merge_requests_drafts ON merge_requests USING btree (project_id, id) WHERE draft;
CREATE INDEX merge_requests_last_edited_by ON merge_requests USING btree (last_edited_by_id);
CREATE INDEX merge_requests_latest_version ON merge_requests USING btree (latest_version_id);
CREATE INDEX merge_requests_merge_commit ON merge_requests USING btree (project_id, merge_commit_sha) WHERE (merge_commit_sha IS NOT NULL);
CREATE INDEX merge_requests_merge_user ON merge_requests USING btree (merge_user_id);
CREATE INDEX merge_requests_merged_by ON merge_requests USING btree (merged_by_id);
CREATE INDEX merge_requests_merged_commit ON merge_requests USING btree (project_id, merged_commit_sha) WHERE (merged_commit_sha IS NOT NULL);
CREATE INDEX merge_requests_milestone ON merge_requests USING btree (milestone_id, id);
CREATE UNIQUE INDEX merge_requests_open_key ON merge_requests USING btree (project_id, target_branch, source_project_id, source_branch) WHERE (state = ANY (ARRAY['opened'::text, 'locked'::text]));
CREATE INDEX merge_requests_project_created_at ON merge_requests USING btree (project_id, created_at, id);
CREATE INDEX merge_requests_project_merged_at ON merge_requests USING btree (project_id, merged_at) WHERE (merged_at IS NOT NULL);
CREATE INDEX merge_requests_project_title ON merge_requests USING btree (project_id, title, id);
CREATE INDEX merge_requests_project_updated_at ON merge_requests USING btree (project_id, updated_at, id);
CREATE INDEX merge_requests_source ON merge_requests USING btree (source_project_id, source_branch) WHERE (state = ANY (ARRAY['opened'::text, 'locked'::text]));
CREATE INDEX merge_requests_source_branch ON merge_requests USING btree (source_branch, project_id, id);
CREATE INDEX merge_requests_source_project ON merge_requests USING btree (source_project_id);
CREATE INDEX merge_requests_squash_commit ON merge_requests USING btree (project_id, squash_commit_sha) WHERE (squash_commit_sha IS NOT NULL);
CREATE INDEX merge_requests_target ON merge_requests USING btree (project_id, target_branch) WHERE (state = ANY (ARRAY['opened'::text, 'locked'::text]));
CREATE INDEX merge_requests_target_branch ON merge_requests USING btree (target_branch, project_id, id);
CREATE INDEX merge_requests_title ON merge_requests USING btree (title, id);
CREATE INDEX merge_requests_title_trgm ON merge_requests USING gin (title gin_trgm_ops);
CREATE INDEX merge_requests_updated_at ON merge_requests USING btree (updated_at, id);
CREATE INDEX merge_requests_visible ON merge_requests USING btree (project_id, state) INCLUDE (author_id, id);
CREATE TRIGGER announce_merge_request AFTER UPDATE ON merge_requests FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION announce_merge_request();
CREATE TRIGGER announce_new_merge_request AFTER INSERT ON merge_requests FOR EACH ROW EXECUTE FUNCTION announce_merge_request();
CREATE TRIGGER announce_newly_planned_merge_request AFTER INSERT ON merge_requests FOR EACH ROW WHEN ((new.milestone_id IS NOT NULL)) EXECUTE FUNCTION announce_planned();
CREATE TRIGGER announce_planned_merge_request AFTER UPDATE ON merge_requests FOR EACH ROW WHEN (((old.updated_at IS DISTINCT FROM new.updated_at) AND (COALESCE(new.milestone_id, old.milestone_id) IS NOT NULL))) EXECUTE FUNCTION announce_planned();
CREATE TRIGGER note_merge_state BEFORE UPDATE OF merge_status, rebase_requested_at, merge_error, merge_when_pipeline_succeeds ON merge_requests FOR EACH ROW WHEN (((((old.merge_status IS DISTINCT FROM new.merge_status) OR (old.rebase_requested_at IS DISTINCT FROM new.rebase_requested_at)) OR (old.merge_error IS DISTINCT FROM new.merge_error)) OR (old.merge_when_pipeline_succeeds IS DISTINCT FROM new.merge_when_pipeline_succeeds))) EXECUTE FUNCTION note_merge_state();

create table metric_images (
  id bigint generated always as identity not null,
  issue_id bigint not null,
  object_id bigint not null,
  filename text not null,
  media_type text not null,
  url text,
  url_text text,
  created_at timestamp with time zone default now() not null,
  constraint metric_images_pkey PRIMARY KEY (id),
  constraint metric_images_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint metric_images_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id)
);
CREATE INDEX metric_images_issue ON metric_images USING btree (issue_id, id);
CREATE INDEX metric_images_object ON metric_images USING btree (object_id);

create table milestones (
  id bigint generated always as identity not null,
  iid bigint not null,
  project_id bigint,
  namespace_id bigint,
  title text not null,
  description text,
  state text default 'active'::text not null,
  start_date date,
  due_date date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint milestones_pkey PRIMARY KEY (id),
  constraint milestones_group_iid_key UNIQUE (namespace_id, iid),
  constraint milestones_group_title_key UNIQUE (namespace_id, title),
  constraint milestones_project_iid_key UNIQUE (project_id, iid),
  constraint milestones_project_title_key UNIQUE (project_id, title),
  constraint milestones_check CHECK ((num_nonnulls(project_id, namespace_id) = 1)),
  constraint milestones_state_check CHECK ((state = ANY (ARRAY['active'::text, 'closed'::text]))),
  constraint milestones_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint milestones_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX milestones_due_date ON milestones USING btree (due_date, id);
CREATE INDEX milestones_title ON milestones USING btree (title);
CREATE TRIGGER announce_milestone AFTER UPDATE ON milestones FOR EACH ROW EXECUTE FUNCTION announce_milestone();
CREATE TRIGGER spread_milestone_due_date AFTER UPDATE OF due_date ON milestones FOR EACH ROW WHEN ((old.due_date IS DISTINCT FROM new.due_date)) EXECUTE FUNCTION spread_milestone_due_date();

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
  deleting boolean default false not null,
  constraint namespaces_pkey PRIMARY KEY (id),
  constraint namespaces_check CHECK (((kind = 'user'::text) = (owner_id IS NOT NULL))),
  constraint namespaces_check1 CHECK (((kind = 'group'::text) OR (parent_id IS NULL))),
  constraint namespaces_default_branch_protection_check CHECK (((default_branch_protection >= 0) AND (default_branch_protection <= 3))),
  constraint namespaces_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'group'::text]))),
  constraint namespaces_project_creation_level_check CHECK ((project_creation_level = ANY (ARRAY['noone'::text, 'maintainer'::text, 'developer'::text]))),
  constraint namespaces_shared_runners_setting_check CHECK ((shared_runners_setting = ANY (ARRAY['enabled'::text, 'disabled_with_override'::text, 'disabled_and_unoverridable'::text]))),
  constraint namespaces_subgroup_creation_level_check CHECK ((subgroup_creation_level = ANY (ARRAY['owner'::text, 'maintainer'::text]))),
  constraint namespaces_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'internal'::text, 'public'::text]))),
  constraint namespaces_file_template_project_id_fkey FOREIGN KEY (file_template_project_id) REFERENCES projects(id) ON DELETE SET NULL,
  constraint namespaces_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint namespaces_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES namespaces(id)
);
CREATE INDEX namespaces_file_template_project ON namespaces USING btree (file_template_project_id);
CREATE UNIQUE INDEX namespaces_group_name_key ON namespaces USING btree (COALESCE(parent_id, (0)::bigint), name) WHERE ((kind = 'group'::text) AND (NOT deleting));
CREATE INDEX namespaces_marked_for_deletion ON namespaces USING btree (marked_for_deletion_on) WHERE (marked_for_deletion_on IS NOT NULL);
CREATE INDEX namespaces_name_trgm ON namespaces USING gin (name gin_trgm_ops);
CREATE UNIQUE INDEX namespaces_owner_key ON namespaces USING btree (owner_id);
CREATE INDEX namespaces_parent ON namespaces USING btree (parent_id);
CREATE INDEX namespaces_path_trgm ON namespaces USING gin (path gin_trgm_ops);
CREATE INDEX namespaces_requiring_two_factor ON namespaces USING btree (id) WHERE require_two_factor_authentication;
CREATE INDEX namespaces_traversal_ids ON namespaces USING gin (traversal_ids);
CREATE TRIGGER announce_jobs_of_namespace AFTER UPDATE OF traversal_ids ON namespaces FOR EACH ROW WHEN ((new.traversal_ids IS DISTINCT FROM old.traversal_ids)) EXECUTE FUNCTION announce_jobs_of_namespace();

create table notes (
  id bigint generated always as identity not null,
  discussion_id text not null,
  issue_id bigint,
  author_id bigint not null,
  body text not null,
  threaded boolean default false not null,
  confidential boolean default false not null,
  action text,
  named_issue_id bigint,
  named_commit text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  merge_request_id bigint,
  epic_id bigint,
  named_merge_request_id bigint,
  named_epic_id bigint,
  "position" jsonb,
  original_position jsonb,
  commit_id text,
  resolvable boolean default false not null,
  resolved_at timestamp with time zone,
  resolved_by_id bigint,
  named_project_id bigint,
  commented_commit_id bigint,
  snippet_id bigint,
  named_snippet_id bigint,
  constraint notes_pkey PRIMARY KEY (id),
  constraint notes_one_noteable CHECK ((num_nonnulls(issue_id, merge_request_id, epic_id, commented_commit_id, snippet_id) = 1)),
  constraint notes_resolved CHECK (((resolved_at IS NULL) OR resolvable)),
  constraint notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint notes_commented_commit_id_fkey FOREIGN KEY (commented_commit_id) REFERENCES commented_commits(id) ON DELETE CASCADE,
  constraint notes_epic_id_fkey FOREIGN KEY (epic_id) REFERENCES epics(id) ON DELETE CASCADE,
  constraint notes_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint notes_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint notes_named_epic_id_fkey FOREIGN KEY (named_epic_id) REFERENCES epics(id) ON DELETE CASCADE,
  constraint notes_named_issue_id_fkey FOREIGN KEY (named_issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint notes_named_merge_request_id_fkey FOREIGN KEY (named_merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint notes_named_project_id_fkey FOREIGN KEY (named_project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint notes_named_snippet_id_fkey FOREIGN KEY (named_snippet_id) REFERENCES snippets(id) ON DELETE CASCADE,
  constraint notes_resolved_by_id_fkey FOREIGN KEY (resolved_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint notes_snippet_id_fkey FOREIGN KEY (snippet_id) REFERENCES snippets(id) ON DELETE CASCADE
);
CREATE INDEX notes_author ON notes USING btree (author_id);
CREATE INDEX notes_commented_commit ON notes USING btree (commented_commit_id, created_at, id) WHERE (commented_commit_id IS NOT NULL);
CREATE INDEX notes_discussion ON notes USING btree (discussion_id, created_at, id);
CREATE INDEX notes_epic ON notes USING btree (epic_id, created_at, id) WHERE (epic_id IS NOT NULL);
CREATE INDEX notes_issue ON notes USING btree (issue_id, created_at, id);
CREATE UNIQUE INDEX notes_mention_by_commit_key ON notes USING btree (COALESCE(issue_id, (0)::bigint), COALESCE(merge_request_id, (0)::bigint), COALESCE(epic_id, (0)::bigint), COALESCE(commented_commit_id, (0)::bigint), named_commit) WHERE ((action = 'mention'::text) AND (named_commit IS NOT NULL));
CREATE UNIQUE INDEX notes_mention_by_snippet_key ON notes USING btree (COALESCE(issue_id, (0)::bigint), COALESCE(merge_request_id, (0)::bigint), COALESCE(epic_id, (0)::bigint), COALESCE(commented_commit_id, (0)::bigint), named_snippet_id) WHERE ((action = 'mention'::text) AND (named_snippet_id IS NOT NULL));
CREATE UNIQUE INDEX notes_mention_key ON notes USING btree (COALESCE(issue_id, (0)::bigint), COALESCE(merge_request_id, (0)::bigint), COALESCE(epic_id, (0)::bigint), COALESCE(commented_commit_id, (0)::bigint), COALESCE(named_issue_id, (0)::bigint), COALESCE(named_merge_request_id, (0)::bigint), COALESCE(named_epic_id, (0)::bigint)) WHERE ((action = 'mention'::text) AND (num_nonnulls(named_issue_id, named_merge_request_id, named_epic_id) = 1));
CREATE INDEX notes_merge_request ON notes USING btree (merge_request_id, created_at, id) WHERE (merge_request_id IS NOT NULL);
CREATE INDEX notes_named_epic ON notes USING btree (named_epic_id) WHERE (named_epic_id IS NOT NULL);
CREATE INDEX notes_named_issue ON notes USING btree (named_issue_id);
CREATE INDEX notes_named_merge_request ON notes USING btree (named_merge_request_id) WHERE (named_merge_request_id IS NOT NULL);
CREATE INDEX notes_named_project ON notes USING btree (named_project_id) WHERE (named_project_id IS NOT NULL);
CREATE INDEX notes_named_snippet ON notes USING btree (named_snippet_id) WHERE (named_snippet_id IS NOT NULL);
CREATE INDEX notes_resolved_by ON notes USING btree (resolved_by_id) WHERE (resolved_by_id IS NOT NULL);
CREATE INDEX notes_snippet ON notes USING btree (snippet_id, created_at, id) WHERE (snippet_id IS NOT NULL);
CREATE INDEX notes_unresolved ON notes USING btree (merge_request_id, discussion_id) WHERE (resolvable AND (resolved_at IS NULL));
CREATE TRIGGER announce_changed_commit_note AFTER UPDATE ON notes FOR EACH ROW WHEN ((new.commented_commit_id IS NOT NULL)) EXECUTE FUNCTION announce_commit_note();
CREATE TRIGGER announce_changed_note AFTER UPDATE ON notes FOR EACH ROW WHEN ((new.issue_id IS NOT NULL)) EXECUTE FUNCTION announce_note();
CREATE TRIGGER announce_changed_note_on_epic AFTER UPDATE ON notes FOR EACH ROW WHEN ((new.epic_id IS NOT NULL)) EXECUTE FUNCTION announce_note_on_epic();
CREATE TRIGGER announce_changed_review_note AFTER UPDATE ON notes FOR EACH ROW WHEN ((new.merge_request_id IS NOT NULL)) EXECUTE FUNCTION announce_change_of_merge_request();
CREATE TRIGGER announce_deleted_commit_note AFTER DELETE ON notes FOR EACH ROW WHEN ((old.commented_commit_id IS NOT NULL)) EXECUTE FUNCTION announce_commit_note();
CREATE TRIGGER announce_deleted_note AFTER DELETE ON notes FOR EACH ROW WHEN ((old.issue_id IS NOT NULL)) EXECUTE FUNCTION announce_note();
CREATE TRIGGER announce_deleted_note_on_epic AFTER DELETE ON notes FOR EACH ROW WHEN ((old.epic_id IS NOT NULL)) EXECUTE FUNCTION announce_note_on_epic();
CREATE TRIGGER announce_deleted_review_note AFTER DELETE ON notes FOR EACH ROW WHEN ((old.merge_request_id IS NOT NULL)) EXECUTE FUNCTION announce_change_of_merge_request();
CREATE TRIGGER announce_new_commit_note AFTER INSERT ON notes FOR EACH ROW WHEN ((new.commented_commit_id IS NOT NULL)) EXECUTE FUNCTION announce_commit_note();
CREATE TRIGGER announce_new_note AFTER INSERT ON notes FOR EACH ROW WHEN ((new.issue_id IS NOT NULL)) EXECUTE FUNCTION announce_note();
CREATE TRIGGER announce_new_note_on_epic AFTER INSERT ON notes FOR EACH ROW WHEN ((new.epic_id IS NOT NULL)) EXECUTE FUNCTION announce_note_on_epic();
CREATE TRIGGER announce_new_review_note AFTER INSERT ON notes FOR EACH ROW WHEN ((new.merge_request_id IS NOT NULL)) EXECUTE FUNCTION announce_change_of_merge_request();

create table notification_settings (
  id bigint generated always as identity not null,
  user_id bigint not null,
  namespace_id bigint,
  project_id bigint,
  level text not null,
  events jsonb default '{}'::jsonb not null,
  email text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint notification_settings_pkey PRIMARY KEY (id),
  constraint notification_settings_check CHECK (((namespace_id IS NULL) OR (project_id IS NULL))),
  constraint notification_settings_events_check CHECK ((jsonb_typeof(events) = 'object'::text)),
  constraint notification_settings_level_check CHECK ((level = ANY (ARRAY['disabled'::text, 'participating'::text, 'watch'::text, 'global'::text, 'mention'::text, 'custom'::text]))),
  constraint notification_settings_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint notification_settings_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX notification_settings_global ON notification_settings USING btree (user_id) WHERE ((namespace_id IS NULL) AND (project_id IS NULL));
CREATE UNIQUE INDEX notification_settings_namespace ON notification_settings USING btree (namespace_id, user_id) WHERE (namespace_id IS NOT NULL);
CREATE UNIQUE INDEX notification_settings_project ON notification_settings USING btree (project_id, user_id) WHERE (project_id IS NOT NULL);
CREATE INDEX notification_settings_user ON notification_settings USING btree (user_id);

create table notified (
  key text not null,
  created_at timestamp with time zone default now() not null,
  constraint notified_pkey PRIMARY KEY (key)
);
CREATE INDEX notified_created_at ON notified USING btree (created_at);

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
  granted_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  auth_time timestamp with time zone,
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
  secret_created_at timestamp with time zone default now() not null,
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
  nonce text,
  auth_time timestamp with time zone,
  constraint oauth_authorization_codes_pkey PRIMARY KEY (id),
  constraint oauth_authorization_codes_digest_key UNIQUE (digest),
  constraint oauth_authorization_codes_application_id_fkey FOREIGN KEY (application_id) REFERENCES oauth_applications(id) ON DELETE CASCADE,
  constraint oauth_authorization_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oauth_authorization_codes_application ON oauth_authorization_codes USING btree (application_id);
CREATE INDEX oauth_authorization_codes_user ON oauth_authorization_codes USING btree (user_id);

create table oauth_device_grants (
  id bigint generated always as identity not null,
  application_id bigint not null,
  device_digest text not null,
  user_code_digest text not null,
  scopes text[] not null,
  user_id bigint,
  decision text,
  auth_time timestamp with time zone,
  interval_seconds integer not null,
  polled_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint oauth_device_grants_pkey PRIMARY KEY (id),
  constraint oauth_device_grants_device_digest_key UNIQUE (device_digest),
  constraint oauth_device_grants_user_code_digest_key UNIQUE (user_code_digest),
  constraint oauth_device_grants_check CHECK (((user_id IS NULL) = (decision IS NULL))),
  constraint oauth_device_grants_decision_check CHECK ((decision = ANY (ARRAY['allowed'::text, 'denied'::text]))),
  constraint oauth_device_grants_application_id_fkey FOREIGN KEY (application_id) REFERENCES oauth_applications(id) ON DELETE CASCADE,
  constraint oauth_device_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oauth_device_grants_application ON oauth_device_grants USING btree (application_id);
CREATE INDEX oauth_device_grants_end ON oauth_device_grants USING btree (expires_at);
CREATE INDEX oauth_device_grants_user ON oauth_device_grants USING btree (user_id);

create table package_build_infos (
  id bigint generated always as identity not null,
  package_id bigint not null,
  package_file_id bigint,
  pipeline_id bigint not null,
  constraint package_build_infos_pkey PRIMARY KEY (id),
  constraint package_build_infos_package_file_id_fkey FOREIGN KEY (package_file_id) REFERENCES package_files(id) ON DELETE CASCADE,
  constraint package_build_infos_package_id_fkey FOREIGN KEY (package_id) REFERENCES packages(id) ON DELETE CASCADE,
  constraint package_build_infos_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES pipelines(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX package_build_infos_file ON package_build_infos USING btree (package_file_id, pipeline_id);
CREATE INDEX package_build_infos_of_package ON package_build_infos USING btree (package_id);
CREATE UNIQUE INDEX package_build_infos_package ON package_build_infos USING btree (package_id, pipeline_id) WHERE (package_file_id IS NULL);
CREATE INDEX package_build_infos_pipeline ON package_build_infos USING btree (pipeline_id);

create table package_files (
  id bigint generated always as identity not null,
  package_id bigint not null,
  object_id bigint not null,
  file_name text not null,
  size bigint not null,
  file_sha256 text not null,
  file_sha1 text,
  file_md5 text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  channel text,
  metadata json default '{}'::json not null,
  constraint package_files_pkey PRIMARY KEY (id),
  constraint package_files_channel_check CHECK (((length(channel) >= 1) AND (length(channel) <= 255))),
  constraint package_files_size_check CHECK ((size >= 0)),
  constraint package_files_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint package_files_package_id_fkey FOREIGN KEY (package_id) REFERENCES packages(id) ON DELETE CASCADE
);
CREATE INDEX package_files_channel ON package_files USING btree (channel, file_name, id) WHERE (channel IS NOT NULL);
CREATE INDEX package_files_folder ON package_files USING btree (package_id, channel, file_name, id) WHERE (channel IS NOT NULL);
CREATE INDEX package_files_name ON package_files USING btree (package_id, file_name, id);
CREATE INDEX package_files_object ON package_files USING btree (object_id);
CREATE INDEX package_files_sha256 ON package_files USING btree (file_sha256);

create table package_protection_rules (
  id bigint generated always as identity not null,
  project_id bigint not null,
  package_type text not null,
  package_name_pattern text not null,
  minimum_access_level_for_push smallint,
  minimum_access_level_for_delete smallint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint package_protection_rules_pkey PRIMARY KEY (id),
  constraint package_protection_rules_name_key UNIQUE (project_id, package_type, package_name_pattern),
  constraint package_protection_rules_check CHECK ((COALESCE(minimum_access_level_for_push, minimum_access_level_for_delete) IS NOT NULL)),
  constraint package_protection_rules_minimum_access_level_for_delete_check CHECK ((minimum_access_level_for_delete = ANY (ARRAY[40, 50, 60]))),
  constraint package_protection_rules_minimum_access_level_for_push_check CHECK ((minimum_access_level_for_push = ANY (ARRAY[40, 50, 60]))),
  constraint package_protection_rules_package_name_pattern_check CHECK (((char_length(package_name_pattern) >= 1) AND (char_length(package_name_pattern) <= 255))),
  constraint package_protection_rules_package_type_check CHECK ((package_type = ANY (ARRAY['maven'::text, 'npm'::text, 'conan'::text, 'nuget'::text, 'pypi'::text, 'composer'::text, 'generic'::text, 'debian'::text, 'rubygems'::text, 'helm'::text]))),
  constraint package_protection_rules_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE TRIGGER announce_package_protection_rule AFTER INSERT OR DELETE OR UPDATE ON package_protection_rules FOR EACH ROW EXECUTE FUNCTION announce_in_project('package_protection_rules');

create table package_tags (
  id bigint generated always as identity not null,
  project_id bigint not null,
  package_id bigint not null,
  lookup_name text not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint package_tags_pkey PRIMARY KEY (id),
  constraint package_tags_name_key UNIQUE (project_id, lookup_name, name),
  constraint package_tags_package_id_fkey FOREIGN KEY (package_id) REFERENCES packages(id) ON DELETE CASCADE,
  constraint package_tags_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX package_tags_package ON package_tags USING btree (package_id);

create table packages (
  id bigint generated always as identity not null,
  project_id bigint not null,
  package_type text not null,
  name text not null,
  lookup_name text not null,
  version text,
  status text default 'default'::text not null,
  metadata json default '{}'::json not null,
  creator_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint packages_pkey PRIMARY KEY (id),
  constraint packages_package_type_check CHECK ((package_type = ANY (ARRAY['maven'::text, 'npm'::text, 'conan'::text, 'nuget'::text, 'pypi'::text, 'composer'::text, 'generic'::text, 'golang'::text, 'debian'::text, 'rubygems'::text, 'helm'::text, 'terraform_module'::text]))),
  constraint packages_status_check CHECK ((status = ANY (ARRAY['default'::text, 'hidden'::text, 'processing'::text, 'error'::text]))),
  constraint packages_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint packages_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX packages_by_name ON packages USING btree (project_id, name, id);
CREATE INDEX packages_by_type ON packages USING btree (project_id, package_type, id);
CREATE INDEX packages_by_version ON packages USING btree (project_id, version, id);
CREATE INDEX packages_created ON packages USING btree (project_id, created_at, id);
CREATE INDEX packages_creator ON packages USING btree (creator_id);
CREATE INDEX packages_lookup ON packages USING btree (package_type, lookup_name, id);
CREATE INDEX packages_name_trgm ON packages USING gin (name gin_trgm_ops);
CREATE INDEX packages_of_status ON packages USING btree (project_id, status, id) WHERE (status <> 'default'::text);
CREATE INDEX packages_shown_names ON packages USING btree (project_id, lower(name)) INCLUDE (id, name, package_type) WHERE ((version IS NOT NULL) AND (status = ANY (ARRAY['default'::text, 'error'::text])));
CREATE UNIQUE INDEX packages_version ON packages USING btree (project_id, package_type, lookup_name, COALESCE(version, ''::text));

create table password_resets (
  id bigint generated always as identity not null,
  user_id bigint not null,
  digest text not null,
  email text not null,
  request_key text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint password_resets_pkey PRIMARY KEY (id),
  constraint password_resets_digest_key UNIQUE (digest),
  constraint password_resets_request_key_key UNIQUE (request_key),
  constraint password_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX password_resets_expires_at ON password_resets USING btree (expires_at);
CREATE INDEX password_resets_user ON password_resets USING btree (user_id, created_at);

create table pending_sign_ins (
  id bigint generated always as identity not null,
  user_id bigint not null,
  digest text not null,
  method text not null,
  password_proof text not null,
  provider text,
  identity_id bigint,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  provider_session jsonb,
  constraint pending_sign_ins_pkey PRIMARY KEY (id),
  constraint pending_sign_ins_digest_key UNIQUE (digest),
  constraint pending_sign_ins_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES identities(id) ON DELETE CASCADE,
  constraint pending_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX pending_sign_ins_expires_at ON pending_sign_ins USING btree (expires_at);
CREATE INDEX pending_sign_ins_identity ON pending_sign_ins USING btree (identity_id);
CREATE INDEX pending_sign_ins_user ON pending_sign_ins USING btree (user_id);

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
  expiry_mailed boolean default false not null,
  constraint personal_access_tokens_pkey PRIMARY KEY (id),
  constraint personal_access_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX personal_access_tokens_digest_key ON personal_access_tokens USING btree (digest);
CREATE INDEX personal_access_tokens_expires_at ON personal_access_tokens USING btree (expires_at) WHERE ((NOT revoked) AND (NOT expiry_mailed));
CREATE INDEX personal_access_tokens_user ON personal_access_tokens USING btree (user_id);

create table pipeline_schedules (
  id bigint generated always as identity not null,
  project_id bigint not null,
  owner_id bigint,
  description text not null,
  ref text not null,
  cron text not null,
  cron_timezone text default 'UTC'::text not null,
  active boolean default true not null,
  next_run_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  last_run_at timestamp with time zone,
  last_run_errors text[] default '{}'::text[] not null,
  constraint pipeline_schedules_pkey PRIMARY KEY (id),
  constraint pipeline_schedules_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint pipeline_schedules_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX pipeline_schedules_due ON pipeline_schedules USING btree (next_run_at) WHERE active;
CREATE INDEX pipeline_schedules_owner ON pipeline_schedules USING btree (owner_id);
CREATE INDEX pipeline_schedules_project ON pipeline_schedules USING btree (project_id, id);
CREATE TRIGGER announce_schedule AFTER INSERT OR DELETE OR UPDATE ON pipeline_schedules FOR EACH ROW EXECUTE FUNCTION announce_schedule();

create table pipeline_triggers (
  id bigint generated always as identity not null,
  project_id bigint not null,
  owner_id bigint,
  description text,
  token_digest text not null,
  token text not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint pipeline_triggers_pkey PRIMARY KEY (id),
  constraint pipeline_triggers_token_digest_key UNIQUE (token_digest),
  constraint pipeline_triggers_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint pipeline_triggers_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX pipeline_triggers_owner ON pipeline_triggers USING btree (owner_id);
CREATE INDEX pipeline_triggers_project ON pipeline_triggers USING btree (project_id, id);

create table pipelines (
  id bigint generated always as identity not null,
  iid bigint not null,
  project_id bigint not null,
  user_id bigint,
  ref text not null,
  tag boolean default false not null,
  sha text not null,
  before_sha text,
  source text not null,
  status text default 'created'::text not null,
  yaml_errors text,
  failure_reason text,
  protected boolean default false not null,
  locked boolean default false not null,
  merge_request_id bigint,
  schedule_id bigint,
  trigger_id bigint,
  auto_canceled_by_id bigint,
  upstream_job_id bigint,
  parent_id bigint,
  stages text[] default '{}'::text[] not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  duration integer,
  queued_duration integer,
  committed_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  request_key text,
  name text,
  constraint pipelines_pkey PRIMARY KEY (id),
  constraint pipelines_iid_key UNIQUE (project_id, iid),
  constraint pipelines_failure_reason_check CHECK ((failure_reason = ANY (ARRAY['config_error'::text, 'external_validation_failure'::text, 'user_not_verified'::text, 'user_blocked'::text, 'size_limit_exceeded'::text, 'job_activity_limit_exceeded'::text, 'deployments_limit_exceeded'::text, 'unknown_failure'::text]))),
  constraint pipelines_name_check CHECK ((char_length(name) <= 255)),
  constraint pipelines_source_check CHECK ((source = ANY (ARRAY['push'::text, 'web'::text, 'trigger'::text, 'schedule'::text, 'api'::text, 'external'::text, 'pipeline'::text, 'chat'::text, 'webide'::text, 'merge_request_event'::text, 'external_pull_request_event'::text, 'parent_pipeline'::text, 'ondemand_dast_scan'::text, 'ondemand_dast_validation'::text]))),
  constraint pipelines_status_check CHECK ((status = ANY (ARRAY['created'::text, 'waiting_for_resource'::text, 'preparing'::text, 'pending'::text, 'running'::text, 'success'::text, 'failed'::text, 'canceled'::text, 'skipped'::text, 'manual'::text, 'scheduled'::text]))),
  constraint pipelines_auto_canceled_by_id_fkey FOREIGN KEY (auto_canceled_by_id) REFERENCES pipelines(id) ON DELETE SET NULL,
  constraint pipelines_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE SET NULL,
  constraint pipelines_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES pipelines(id) ON DELETE CASCADE,
  constraint pipelines_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint pipelines_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES pipeline_schedules(id) ON DELETE SET NULL,
  constraint pipelines_trigger_id_fkey FOREIGN KEY (trigger_id) REFERENCES pipeline_triggers(id) ON DELETE SET NULL,
  constraint pipelines_upstream_fkey FOREIGN KEY (upstream_job_id) REFERENCES jobs(id) ON DELETE SET NULL,
  constraint pipelines_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX pipelines_alive ON pipelines USING btree (project_id, id) WHERE (status = ANY (ARRAY['created'::text, 'waiting_for_resource'::text, 'preparing'::text, 'pending'::text, 'running'::text, 'scheduled'::text]));
CREATE INDEX pipelines_auto_canceled_by ON pipelines USING btree (auto_canceled_by_id);
CREATE INDEX pipelines_days ON pipelines USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX pipelines_locked ON pipelines USING btree (project_id, ref, id) WHERE locked;
CREATE INDEX pipelines_merge_request ON pipelines USING btree (merge_request_id, id);
CREATE INDEX pipelines_parent ON pipelines USING btree (parent_id);
CREATE INDEX pipelines_project ON pipelines USING btree (project_id, id);
CREATE INDEX pipelines_ref ON pipelines USING btree (project_id, ref, id);
CREATE INDEX pipelines_ref_status ON pipelines USING btree (project_id, ref, status, id);
CREATE UNIQUE INDEX pipelines_request_key ON pipelines USING btree (request_key) WHERE (request_key IS NOT NULL);
CREATE INDEX pipelines_schedule ON pipelines USING btree (schedule_id, id);
CREATE INDEX pipelines_sha ON pipelines USING btree (project_id, sha, id);
CREATE INDEX pipelines_status ON pipelines USING btree (project_id, status, id);
CREATE INDEX pipelines_trigger ON pipelines USING btree (trigger_id);
CREATE INDEX pipelines_updated_at ON pipelines USING btree (project_id, updated_at, id);
CREATE INDEX pipelines_upstream ON pipelines USING btree (upstream_job_id);
CREATE INDEX pipelines_user ON pipelines USING btree (user_id, id);
CREATE TRIGGER announce_moved_scheduled_pipeline AFTER UPDATE OF status ON pipelines FOR EACH ROW WHEN (((new.schedule_id IS NOT NULL) AND (new.status IS DISTINCT FROM old.status))) EXECUTE FUNCTION announce_schedule();
CREATE TRIGGER announce_new_pipeline AFTER INSERT ON pipelines FOR EACH ROW EXECUTE FUNCTION announce_pipeline();
CREATE TRIGGER announce_pipeline AFTER UPDATE OF status ON pipelines FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION announce_pipeline();
CREATE TRIGGER announce_scheduled_pipeline AFTER INSERT ON pipelines FOR EACH ROW WHEN ((new.schedule_id IS NOT NULL)) EXECUTE FUNCTION announce_schedule();

create table plan_limits (
  plan_name text not null,
  ci_instance_level_variables integer default 25 not null,
  ci_jobs_trace_size_limit integer default 100 not null,
  conan_max_file_size bigint default '3221225472'::bigint not null,
  generic_packages_max_file_size bigint default '5368709120'::bigint not null,
  maven_max_file_size bigint default '3221225472'::bigint not null,
  npm_max_file_size bigint default 524288000 not null,
  nuget_max_file_size bigint default 524288000 not null,
  pypi_max_file_size bigint default '3221225472'::bigint not null,
  constraint plan_limits_pkey PRIMARY KEY (plan_name),
  constraint plan_limits_ci_instance_level_variables_check CHECK ((ci_instance_level_variables >= 0)),
  constraint plan_limits_ci_jobs_trace_size_limit_check CHECK ((ci_jobs_trace_size_limit >= 0)),
  constraint plan_limits_plan_name_check CHECK ((plan_name = 'default'::text))
);

create table project_aliases (
  id bigint generated always as identity not null,
  project_id bigint not null,
  name text not null,
  constraint project_aliases_pkey PRIMARY KEY (id),
  constraint project_aliases_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX project_aliases_name_key ON project_aliases USING btree (lower(name));
CREATE INDEX project_aliases_project ON project_aliases USING btree (project_id);

create table project_exports (
  id bigint generated always as identity not null,
  project_id bigint not null,
  user_id bigint,
  state text not null,
  request_key text not null,
  description text,
  upload_address text,
  upload_method text,
  error text,
  object_id bigint,
  filename text,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint project_exports_pkey PRIMARY KEY (id),
  constraint project_exports_project_id_key UNIQUE (project_id),
  constraint project_exports_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'started'::text, 'finished'::text, 'failed'::text]))),
  constraint project_exports_upload_method_check CHECK ((upload_method = ANY (ARRAY['PUT'::text, 'POST'::text]))),
  constraint project_exports_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint project_exports_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint project_exports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX project_exports_object ON project_exports USING btree (object_id);
CREATE INDEX project_exports_user ON project_exports USING btree (user_id);
CREATE TRIGGER announce_project_export AFTER INSERT OR DELETE OR UPDATE ON project_exports FOR EACH ROW EXECUTE FUNCTION announce_in_project('project_export');

create table project_fetches (
  project_id bigint not null,
  day date not null,
  count bigint not null,
  constraint project_fetches_pkey PRIMARY KEY (project_id, day),
  constraint project_fetches_count_check CHECK ((count > 0)),
  constraint project_fetches_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX project_fetches_day ON project_fetches USING btree (day);

create table project_flag_scopes (
  id bigint generated always as identity not null,
  strategy_id bigint not null,
  environment_scope text not null,
  constraint project_flag_scopes_pkey PRIMARY KEY (id),
  constraint project_flag_scopes_strategy_id_environment_scope_key UNIQUE (strategy_id, environment_scope),
  constraint project_flag_scopes_strategy_id_fkey FOREIGN KEY (strategy_id) REFERENCES project_flag_strategies(id) ON DELETE CASCADE
);

create table project_flag_strategies (
  id bigint generated always as identity not null,
  flag_id bigint not null,
  name text not null,
  parameters jsonb default '{}'::jsonb not null,
  user_list_id bigint,
  constraint project_flag_strategies_pkey PRIMARY KEY (id),
  constraint project_flag_strategies_check CHECK (((name = 'gitlabUserList'::text) = (user_list_id IS NOT NULL))),
  constraint project_flag_strategies_name_check CHECK ((name = ANY (ARRAY['default'::text, 'gradualRolloutUserId'::text, 'userWithId'::text, 'gitlabUserList'::text, 'flexibleRollout'::text]))),
  constraint project_flag_strategies_flag_id_fkey FOREIGN KEY (flag_id) REFERENCES project_flags(id) ON DELETE CASCADE,
  constraint project_flag_strategies_user_list_id_fkey FOREIGN KEY (user_list_id) REFERENCES flag_user_lists(id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX project_flag_strategies_flag ON project_flag_strategies USING btree (flag_id, id);
CREATE INDEX project_flag_strategies_list ON project_flag_strategies USING btree (user_list_id);

create table project_flags (
  id bigint generated always as identity not null,
  project_id bigint not null,
  name text not null,
  description text,
  active boolean default true not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint project_flags_pkey PRIMARY KEY (id),
  constraint project_flags_project_id_name_key UNIQUE (project_id, name),
  constraint project_flags_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE TRIGGER announce_flag AFTER INSERT OR DELETE OR UPDATE ON project_flags FOR EACH ROW EXECUTE FUNCTION announce_in_project('feature_flags');

create table project_forks (
  project_id bigint not null,
  source_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint project_forks_pkey PRIMARY KEY (project_id),
  constraint project_forks_not_of_itself CHECK ((project_id <> source_id)),
  constraint project_forks_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint project_forks_source_id_fkey FOREIGN KEY (source_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX project_forks_source ON project_forks USING btree (source_id, project_id);
CREATE TRIGGER count_project_forks AFTER INSERT OR DELETE ON project_forks FOR EACH ROW EXECUTE FUNCTION count_project_forks();

create table project_imports (
  id bigint generated always as identity not null,
  project_id bigint not null,
  user_id bigint,
  object_id bigint,
  address text,
  override_params jsonb default '{}'::jsonb not null,
  correlation_id text not null,
  replaces_id bigint,
  final_path text not null,
  final_name text not null,
  created_at timestamp with time zone default now() not null,
  constraint project_imports_pkey PRIMARY KEY (id),
  constraint project_imports_project_id_key UNIQUE (project_id),
  constraint project_imports_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint project_imports_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint project_imports_replaces_id_fkey FOREIGN KEY (replaces_id) REFERENCES projects(id) ON DELETE SET NULL,
  constraint project_imports_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX project_imports_object ON project_imports USING btree (object_id);
CREATE INDEX project_imports_replaces ON project_imports USING btree (replaces_id);
CREATE INDEX project_imports_user ON project_imports USING btree (user_id);

create table project_languages (
  project_id bigint not null,
  name text not null,
  share numeric(5,2) not null,
  constraint project_languages_pkey PRIMARY KEY (project_id, name),
  constraint project_languages_share_check CHECK (((share >= (0)::numeric) AND (share <= (100)::numeric))),
  constraint project_languages_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX project_languages_name ON project_languages USING btree (lower(name), project_id);

create table project_sites (
  project_id bigint not null,
  job_id bigint,
  object_id bigint not null,
  size bigint not null,
  file_count integer not null,
  unpacked_size bigint not null,
  published_at timestamp with time zone not null,
  constraint project_sites_pkey PRIMARY KEY (project_id),
  constraint project_sites_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE SET NULL,
  constraint project_sites_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint project_sites_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX project_sites_job ON project_sites USING btree (job_id);
CREATE INDEX project_sites_object ON project_sites USING btree (object_id);

create table project_stars (
  user_id bigint not null,
  project_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint project_stars_pkey PRIMARY KEY (user_id, project_id),
  constraint project_stars_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint project_stars_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX project_stars_project ON project_stars USING btree (project_id, created_at, user_id);
CREATE TRIGGER count_project_stars AFTER INSERT OR DELETE ON project_stars FOR EACH ROW EXECUTE FUNCTION count_project_stars();

create table project_statistics (
  project_id bigint not null,
  commit_count bigint default 0 not null,
  repository_size bigint default 0 not null,
  wiki_size bigint default 0 not null,
  lfs_objects_size bigint default 0 not null,
  job_artifacts_size bigint default 0 not null,
  packages_size bigint default 0 not null,
  snippets_size bigint default 0 not null,
  storage_size bigint generated always as ((((((repository_size + wiki_size) + lfs_objects_size) + job_artifacts_size) + packages_size) + snippets_size)) stored not null,
  constraint project_statistics_pkey PRIMARY KEY (project_id),
  constraint project_statistics_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX project_statistics_packages_size ON project_statistics USING btree (packages_size, project_id);
CREATE INDEX project_statistics_repository_size ON project_statistics USING btree (repository_size, project_id);
CREATE INDEX project_statistics_storage_size ON project_statistics USING btree (storage_size, project_id);
CREATE INDEX project_statistics_wiki_size ON project_statistics USING btree (wiki_size, project_id);

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
  deleting boolean default false not null,
  has_security_reports boolean default false not null,
  license_path text,
  license_key text,
  languages_commit text,
  repository_checksum_failed boolean default false not null,
  wiki_checksum_failed boolean default false not null,
  confidential_open_issues_count integer default 0 not null,
  import_credentials text,
  reset_approvals_on_push boolean default true not null,
  disable_overriding_approvers_per_merge_request boolean default false not null,
  merge_requests_author_approval boolean default false not null,
  merge_requests_disable_committers_approval boolean default false not null,
  require_password_to_approve boolean default false not null,
  closed_issues_count integer default 0 not null,
  confidential_closed_issues_count integer default 0 not null,
  repository_size_limit integer,
  ci_separated_caches boolean default true not null,
  ci_inbound_job_token_scope_enabled boolean default false not null,
  ci_job_token_scope_enabled boolean default false not null,
  service_desk_outgoing_name text,
  service_desk_project_key text,
  service_desk_key_set_at timestamp with time zone,
  service_desk_issue_template text,
  service_desk_confidential boolean default true not null,
  container_registry_access_level text default 'enabled'::text not null,
  constraint projects_pkey PRIMARY KEY (id),
  constraint projects_analytics_access_level_check CHECK ((analytics_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_approvals_before_merge_check CHECK ((approvals_before_merge >= 0)),
  constraint projects_auto_cancel_pending_pipelines_check CHECK ((auto_cancel_pending_pipelines = ANY (ARRAY['enabled'::text, 'disabled'::text]))),
  constraint projects_auto_devops_deploy_strategy_check CHECK ((auto_devops_deploy_strategy = ANY (ARRAY['continuous'::text, 'manual'::text, 'timed_incremental'::text]))),
  constraint projects_build_git_strategy_check CHECK ((build_git_strategy = ANY (ARRAY['fetch'::text, 'clone'::text]))),
  constraint projects_builds_access_level_check CHECK ((builds_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_ci_default_git_depth_check CHECK (((ci_default_git_depth >= 0) AND (ci_default_git_depth <= 1000))),
  constraint projects_container_registry_access_level_check CHECK ((container_registry_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_forking_access_level_check CHECK ((forking_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_import_status_check CHECK ((import_status = ANY (ARRAY['none'::text, 'scheduled'::text, 'started'::text, 'finished'::text, 'failed'::text]))),
  constraint projects_issues_access_level_check CHECK ((issues_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_merge_method_check CHECK ((merge_method = ANY (ARRAY['merge'::text, 'rebase_merge'::text, 'ff'::text]))),
  constraint projects_merge_requests_access_level_check CHECK ((merge_requests_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_operations_access_level_check CHECK ((operations_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_pages_access_level_check CHECK ((pages_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text, 'public'::text]))),
  constraint projects_repository_access_level_check CHECK ((repository_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_repository_size_limit_check CHECK ((repository_size_limit >= 0)),
  constraint projects_requirements_access_level_check CHECK ((requirements_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text, 'public'::text]))),
  constraint projects_snippets_access_level_check CHECK ((snippets_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_squash_option_check CHECK ((squash_option = ANY (ARRAY['never'::text, 'always'::text, 'default_on'::text, 'default_off'::text]))),
  constraint projects_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'internal'::text, 'public'::text]))),
  constraint projects_wiki_access_level_check CHECK ((wiki_access_level = ANY (ARRAY['disabled'::text, 'private'::text, 'enabled'::text]))),
  constraint projects_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint projects_mirror_user_id_fkey FOREIGN KEY (mirror_user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint projects_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id)
);
CREATE INDEX projects_container_cleanup ON projects USING btree (((container_expiration_policy ->> 'next_run_at'::text))) WHERE ((container_expiration_policy ->> 'enabled'::text) = 'true'::text);
CREATE INDEX projects_created_at ON projects USING btree (created_at, id);
CREATE INDEX projects_creator ON projects USING btree (creator_id);
CREATE INDEX projects_description_trgm ON projects USING gin (description gin_trgm_ops);
CREATE INDEX projects_last_activity_at ON projects USING btree (last_activity_at, id);
CREATE INDEX projects_marked_for_deletion ON projects USING btree (marked_for_deletion_on) WHERE (marked_for_deletion_on IS NOT NULL);
CREATE INDEX projects_mirror_user ON projects USING btree (mirror_user_id);
CREATE INDEX projects_name ON projects USING btree (lower(name), id);
CREATE UNIQUE INDEX projects_name_key ON projects USING btree (namespace_id, name) INCLUDE (id);
CREATE INDEX projects_name_trgm ON projects USING gin (name gin_trgm_ops);
CREATE INDEX projects_open_to_all ON projects USING btree (id) WHERE (visibility <> 'private'::text);
CREATE INDEX projects_path ON projects USING btree (lower(path), id);
CREATE INDEX projects_path_trgm ON projects USING gin (path gin_trgm_ops);
CREATE INDEX projects_repository_checksum_failed ON projects USING btree (id) WHERE repository_checksum_failed;
CREATE INDEX projects_service_desk_project_key ON projects USING btree (service_desk_project_key) WHERE (service_desk_project_key IS NOT NULL);
CREATE INDEX projects_star_count ON projects USING btree (star_count, id);
CREATE INDEX projects_topics ON projects USING gin (topics);
CREATE INDEX projects_updated_at ON projects USING btree (updated_at, id);
CREATE INDEX projects_visible ON projects USING btree (visibility, namespace_id, id) INCLUDE (archived, deleting);
CREATE INDEX projects_wiki_checksum_failed ON projects USING btree (id) WHERE wiki_checksum_failed;
CREATE TRIGGER announce_jobs_of_project AFTER UPDATE OF namespace_id, shared_runners_enabled, builds_access_level, repository_access_level, archived, deleting ON projects FOR EACH ROW WHEN (((((((new.namespace_id IS DISTINCT FROM old.namespace_id) OR (new.shared_runners_enabled IS DISTINCT FROM old.shared_runners_enabled)) OR (new.builds_access_level IS DISTINCT FROM old.builds_access_level)) OR (new.repository_access_level IS DISTINCT FROM old.repository_access_level)) OR (new.archived IS DISTINCT FROM old.archived)) OR (new.deleting IS DISTINCT FROM old.deleting))) EXECUTE FUNCTION announce_jobs_of_project();
CREATE TRIGGER announce_project_import AFTER UPDATE OF import_status ON projects FOR EACH ROW WHEN ((old.import_status IS DISTINCT FROM new.import_status)) EXECUTE FUNCTION announce_project_import();
CREATE TRIGGER begin_project_statistics AFTER INSERT ON projects REFERENCING NEW TABLE AS new_projects FOR EACH STATEMENT EXECUTE FUNCTION begin_project_statistics();
CREATE TRIGGER projects_count_topics AFTER UPDATE OF topics ON projects FOR EACH ROW WHEN ((old.topics IS DISTINCT FROM new.topics)) EXECUTE FUNCTION count_topics();
CREATE TRIGGER projects_count_topics_of_new AFTER INSERT ON projects FOR EACH ROW WHEN ((new.topics <> '{}'::text[])) EXECUTE FUNCTION count_topics();
CREATE TRIGGER projects_count_topics_of_old AFTER DELETE ON projects FOR EACH ROW WHEN ((old.topics <> '{}'::text[])) EXECUTE FUNCTION count_topics();

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
CREATE TRIGGER announce_branch_level AFTER INSERT OR DELETE OR UPDATE ON protected_branch_access_levels FOR EACH ROW EXECUTE FUNCTION announce_branch_level();

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
CREATE TRIGGER announce_protected_branch AFTER INSERT OR DELETE OR UPDATE ON protected_branches FOR EACH ROW EXECUTE FUNCTION announce_in_project('protected_branches');

create table protected_environment_access_levels (
  id bigint generated always as identity not null,
  protected_environment_id bigint not null,
  access_level integer default 40 not null,
  user_id bigint,
  group_id bigint,
  constraint protected_environment_access_levels_pkey PRIMARY KEY (id),
  constraint protected_environment_access_levels_access_level_check CHECK ((access_level = ANY (ARRAY[30, 40, 60]))),
  constraint protected_environment_access_levels_check CHECK ((num_nonnulls(user_id, group_id) <= 1)),
  constraint protected_environment_access_leve_protected_environment_id_fkey FOREIGN KEY (protected_environment_id) REFERENCES protected_environments(id) ON DELETE CASCADE,
  constraint protected_environment_access_levels_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint protected_environment_access_levels_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX protected_environment_access_levels_group ON protected_environment_access_levels USING btree (group_id);
CREATE INDEX protected_environment_access_levels_of ON protected_environment_access_levels USING btree (protected_environment_id, id);
CREATE INDEX protected_environment_access_levels_user ON protected_environment_access_levels USING btree (user_id);
CREATE TRIGGER announce_environment_level AFTER INSERT OR DELETE OR UPDATE ON protected_environment_access_levels FOR EACH ROW EXECUTE FUNCTION announce_environment_level();

create table protected_environments (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint protected_environments_pkey PRIMARY KEY (id),
  constraint protected_environments_namespace_name_key UNIQUE (namespace_id, name),
  constraint protected_environments_project_name_key UNIQUE (project_id, name),
  constraint protected_environments_check CHECK ((num_nonnulls(project_id, namespace_id) = 1)),
  constraint protected_environments_check1 CHECK (((namespace_id IS NULL) OR (name = ANY (ARRAY['production'::text, 'staging'::text, 'testing'::text, 'development'::text, 'other'::text])))),
  constraint protected_environments_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint protected_environments_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE TRIGGER announce_protected_environment AFTER INSERT OR DELETE OR UPDATE ON protected_environments FOR EACH ROW EXECUTE FUNCTION announce_protected_environment();

create table protected_tag_access_levels (
  id bigint generated always as identity not null,
  protected_tag_id bigint not null,
  access_level integer default 40 not null,
  user_id bigint,
  group_id bigint,
  constraint protected_tag_access_levels_pkey PRIMARY KEY (id),
  constraint protected_tag_access_levels_access_level_check CHECK ((access_level = ANY (ARRAY[0, 30, 40, 60]))),
  constraint protected_tag_access_levels_check CHECK ((num_nonnulls(user_id, group_id) <= 1)),
  constraint protected_tag_access_levels_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint protected_tag_access_levels_protected_tag_id_fkey FOREIGN KEY (protected_tag_id) REFERENCES protected_tags(id) ON DELETE CASCADE,
  constraint protected_tag_access_levels_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX protected_tag_access_levels_group ON protected_tag_access_levels USING btree (group_id);
CREATE INDEX protected_tag_access_levels_tag ON protected_tag_access_levels USING btree (protected_tag_id);
CREATE INDEX protected_tag_access_levels_user ON protected_tag_access_levels USING btree (user_id);
CREATE TRIGGER announce_tag_level AFTER INSERT OR DELETE OR UPDATE ON protected_tag_access_levels FOR EACH ROW EXECUTE FUNCTION announce_tag_level();

create table protected_tags (
  id bigint generated always as identity not null,
  project_id bigint not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint protected_tags_pkey PRIMARY KEY (id),
  constraint protected_tags_project_id_name_key UNIQUE (project_id, name),
  constraint protected_tags_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE TRIGGER announce_protected_tag AFTER INSERT OR DELETE OR UPDATE ON protected_tags FOR EACH ROW EXECUTE FUNCTION announce_in_project('protected_tags');

create table provided_memberships (
  identity_id bigint not null,
  namespace_id bigint not null,
  access_level integer not null,
  by_link boolean default false not null,
  constraint provided_memberships_pkey PRIMARY KEY (identity_id, namespace_id),
  constraint provided_memberships_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES identities(id) ON DELETE CASCADE,
  constraint provided_memberships_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE
);
CREATE INDEX provided_memberships_namespace ON provided_memberships USING btree (namespace_id);

create table provider_attempts (
  id bigint generated always as identity not null,
  digest text not null,
  browser_digest text not null,
  provider text not null,
  user_id bigint,
  return_to text not null,
  data jsonb default '{}'::jsonb not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint provider_attempts_pkey PRIMARY KEY (id),
  constraint provider_attempts_digest_key UNIQUE (digest),
  constraint provider_attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX provider_attempts_expires_at ON provider_attempts USING btree (expires_at);
CREATE INDEX provider_attempts_user ON provider_attempts USING btree (user_id);

create table provisioned_users (
  user_id bigint not null,
  group_id bigint,
  top_group_id bigint not null,
  charged_to bigint,
  constraint provisioned_users_pkey PRIMARY KEY (user_id),
  constraint provisioned_users_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE SET NULL,
  constraint provisioned_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX provisioned_users_charged_to ON provisioned_users USING btree (charged_to);
CREATE INDEX provisioned_users_group ON provisioned_users USING btree (group_id);
CREATE INDEX provisioned_users_top_group ON provisioned_users USING btree (top_group_id);

create table pull_mirrors (
  id bigint generated always as identity not null,
  project_id bigint not null,
  update_status text default 'none'::text not null,
  last_update_started_at timestamp with time zone,
  last_update_at timestamp with time zone,
  last_successful_update_at timestamp with time zone,
  last_error text,
  failures integer default 0 not null,
  next_update_at timestamp with time zone,
  constraint pull_mirrors_pkey PRIMARY KEY (id),
  constraint pull_mirrors_project_id_key UNIQUE (project_id),
  constraint pull_mirrors_update_status_check CHECK ((update_status = ANY (ARRAY['none'::text, 'started'::text, 'finished'::text, 'to_retry'::text, 'failed'::text]))),
  constraint pull_mirrors_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX pull_mirrors_due ON pull_mirrors USING btree (next_update_at) WHERE (next_update_at IS NOT NULL);

create table push_rules (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  commit_message_regex text,
  commit_message_negative_regex text,
  branch_name_regex text,
  author_email_regex text,
  file_name_regex text,
  deny_delete_tag boolean default false not null,
  member_check boolean default false not null,
  prevent_secrets boolean default false not null,
  commit_committer_check boolean default false not null,
  reject_unsigned_commits boolean default false not null,
  max_file_size integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint push_rules_pkey PRIMARY KEY (id),
  constraint push_rules_namespace_id_key UNIQUE (namespace_id),
  constraint push_rules_project_id_key UNIQUE (project_id),
  constraint push_rules_check CHECK (((project_id IS NULL) OR (namespace_id IS NULL))),
  constraint push_rules_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint push_rules_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX push_rules_instance ON push_rules USING btree ((true)) WHERE ((project_id IS NULL) AND (namespace_id IS NULL));

create table recovery_codes (
  id bigint generated always as identity not null,
  user_id bigint not null,
  digest text not null,
  created_at timestamp with time zone default now() not null,
  constraint recovery_codes_pkey PRIMARY KEY (id),
  constraint recovery_codes_user_id_digest_key UNIQUE (user_id, digest),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table redirect_routes (
  id bigint generated always as identity not null,
  namespace_id bigint,
  project_id bigint,
  path text not null,
  constraint redirect_routes_pkey PRIMARY KEY (id),
  constraint redirect_routes_check CHECK ((num_nonnulls(namespace_id, project_id) = 1)),
  constraint redirect_routes_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint redirect_routes_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX redirect_routes_namespace ON redirect_routes USING btree (namespace_id);
CREATE UNIQUE INDEX redirect_routes_path_key ON redirect_routes USING btree (lower(path));
CREATE INDEX redirect_routes_project ON redirect_routes USING btree (project_id);

create table reference_intents (
  id bigint generated always as identity not null,
  project_id bigint not null,
  actor_id bigint,
  moves jsonb not null,
  created_at timestamp with time zone default now() not null,
  purpose jsonb,
  push_options text[] default '{}'::text[] not null,
  origin jsonb,
  holder text,
  constraint reference_intents_pkey PRIMARY KEY (id),
  constraint reference_intents_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint reference_intents_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX reference_intents_actor ON reference_intents USING btree (actor_id);
CREATE INDEX reference_intents_created_at ON reference_intents USING btree (created_at);
CREATE INDEX reference_intents_project ON reference_intents USING btree (project_id);

create table release_evidences (
  id bigint generated always as identity not null,
  release_id bigint not null,
  sha text not null,
  summary jsonb not null,
  collected_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  constraint release_evidences_pkey PRIMARY KEY (id),
  constraint release_evidences_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE
);
CREATE INDEX release_evidences_release ON release_evidences USING btree (release_id, id);

create table release_links (
  id bigint generated always as identity not null,
  release_id bigint not null,
  name text not null,
  url text not null,
  filepath text,
  link_type text default 'other'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint release_links_pkey PRIMARY KEY (id),
  constraint release_links_filepath_key UNIQUE (release_id, filepath),
  constraint release_links_name_key UNIQUE (release_id, name),
  constraint release_links_url_key UNIQUE (release_id, url),
  constraint release_links_link_type_check CHECK ((link_type = ANY (ARRAY['other'::text, 'runbook'::text, 'image'::text, 'package'::text]))),
  constraint release_links_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE
);

create table release_milestones (
  release_id bigint not null,
  milestone_id bigint not null,
  constraint release_milestones_pkey PRIMARY KEY (release_id, milestone_id),
  constraint release_milestones_milestone_id_fkey FOREIGN KEY (milestone_id) REFERENCES milestones(id) ON DELETE CASCADE,
  constraint release_milestones_release_id_fkey FOREIGN KEY (release_id) REFERENCES releases(id) ON DELETE CASCADE
);
CREATE INDEX release_milestones_milestone ON release_milestones USING btree (milestone_id);

create table releases (
  id bigint generated always as identity not null,
  project_id bigint not null,
  tag text not null,
  name text,
  description text,
  sha text,
  author_id bigint,
  released_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint releases_pkey PRIMARY KEY (id),
  constraint releases_tag_key UNIQUE (project_id, tag),
  constraint releases_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint releases_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX releases_author ON releases USING btree (author_id);
CREATE INDEX releases_created_at ON releases USING btree (project_id, created_at, id);
CREATE INDEX releases_released_at ON releases USING btree (project_id, released_at, id);

create table remote_mirrors (
  id bigint generated always as identity not null,
  project_id bigint not null,
  url text not null,
  address text not null,
  enabled boolean default false not null,
  only_protected_branches boolean default false not null,
  keep_divergent_refs boolean default false not null,
  update_status text default 'none'::text not null,
  last_update_started_at timestamp with time zone,
  last_update_at timestamp with time zone,
  last_successful_update_at timestamp with time zone,
  last_error text,
  failures integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint remote_mirrors_pkey PRIMARY KEY (id),
  constraint remote_mirrors_update_status_check CHECK ((update_status = ANY (ARRAY['none'::text, 'started'::text, 'finished'::text, 'to_retry'::text, 'failed'::text]))),
  constraint remote_mirrors_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX remote_mirrors_project ON remote_mirrors USING btree (project_id, id);

create table resource_events (
  id bigint generated always as identity not null,
  kind text not null,
  issue_id bigint,
  user_id bigint,
  action text,
  label_id bigint,
  milestone_id bigint,
  iteration_id bigint,
  state text,
  weight integer,
  created_at timestamp with time zone default now() not null,
  merge_request_id bigint,
  epic_id bigint,
  constraint resource_events_pkey PRIMARY KEY (id),
  constraint resource_events_action_check CHECK ((action = ANY (ARRAY['add'::text, 'remove'::text]))),
  constraint resource_events_check CHECK (((action IS NOT NULL) = (kind = ANY (ARRAY['label'::text, 'milestone'::text, 'iteration'::text])))),
  constraint resource_events_check1 CHECK (((kind <> 'state'::text) OR (state IS NOT NULL))),
  constraint resource_events_kind_check CHECK ((kind = ANY (ARRAY['state'::text, 'label'::text, 'milestone'::text, 'iteration'::text, 'weight'::text]))),
  constraint resource_events_one_thing CHECK ((num_nonnulls(issue_id, merge_request_id, epic_id) = 1)),
  constraint resource_events_state_check CHECK ((state = ANY (ARRAY['opened'::text, 'closed'::text, 'reopened'::text, 'merged'::text, 'locked'::text]))),
  constraint resource_events_epic_id_fkey FOREIGN KEY (epic_id) REFERENCES epics(id) ON DELETE CASCADE,
  constraint resource_events_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint resource_events_iteration_id_fkey FOREIGN KEY (iteration_id) REFERENCES iterations(id) ON DELETE SET NULL,
  constraint resource_events_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE SET NULL,
  constraint resource_events_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint resource_events_milestone_id_fkey FOREIGN KEY (milestone_id) REFERENCES milestones(id) ON DELETE SET NULL,
  constraint resource_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX resource_events_epic ON resource_events USING btree (epic_id, kind, id) WHERE (epic_id IS NOT NULL);
CREATE INDEX resource_events_issue ON resource_events USING btree (issue_id, kind, id);
CREATE INDEX resource_events_iteration ON resource_events USING btree (iteration_id);
CREATE INDEX resource_events_label ON resource_events USING btree (label_id);
CREATE INDEX resource_events_merge_request ON resource_events USING btree (merge_request_id, kind, id) WHERE (merge_request_id IS NOT NULL);
CREATE INDEX resource_events_milestone ON resource_events USING btree (milestone_id);
CREATE INDEX resource_events_user ON resource_events USING btree (user_id);

create table resource_groups (
  id bigint generated always as identity not null,
  project_id bigint not null,
  key text not null,
  process_mode text default 'unordered'::text not null,
  job_id bigint,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint resource_groups_pkey PRIMARY KEY (id),
  constraint resource_groups_key_key UNIQUE (project_id, key),
  constraint resource_groups_process_mode_check CHECK ((process_mode = ANY (ARRAY['unordered'::text, 'oldest_first'::text, 'newest_first'::text]))),
  constraint resource_groups_job_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE SET NULL,
  constraint resource_groups_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX resource_groups_job ON resource_groups USING btree (job_id);
CREATE TRIGGER announce_resource_group AFTER INSERT OR DELETE OR UPDATE ON resource_groups FOR EACH ROW EXECUTE FUNCTION announce_in_project('resource_groups');

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

create table run_variables (
  id bigint generated always as identity not null,
  pipeline_id bigint,
  schedule_id bigint,
  job_id bigint,
  key text not null,
  value text not null,
  variable_type text default 'env_var'::text not null,
  raw boolean default false not null,
  source text default 'given'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint run_variables_pkey PRIMARY KEY (id),
  constraint run_variables_check CHECK ((num_nonnulls(pipeline_id, schedule_id, job_id) = 1)),
  constraint run_variables_source_check CHECK ((source = ANY (ARRAY['given'::text, 'dotenv'::text, 'schedule'::text]))),
  constraint run_variables_variable_type_check CHECK ((variable_type = ANY (ARRAY['env_var'::text, 'file'::text]))),
  constraint run_variables_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE,
  constraint run_variables_pipeline_id_fkey FOREIGN KEY (pipeline_id) REFERENCES pipelines(id) ON DELETE CASCADE,
  constraint run_variables_schedule_id_fkey FOREIGN KEY (schedule_id) REFERENCES pipeline_schedules(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX run_variables_job_key ON run_variables USING btree (job_id, source, key) WHERE (job_id IS NOT NULL);
CREATE UNIQUE INDEX run_variables_pipeline_key ON run_variables USING btree (pipeline_id, key) WHERE (pipeline_id IS NOT NULL);
CREATE UNIQUE INDEX run_variables_schedule_key ON run_variables USING btree (schedule_id, key) WHERE (schedule_id IS NOT NULL);

create table runner_groups (
  runner_id bigint not null,
  namespace_id bigint not null,
  constraint runner_groups_pkey PRIMARY KEY (runner_id),
  constraint runner_groups_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint runner_groups_runner_id_fkey FOREIGN KEY (runner_id) REFERENCES runners(id) ON DELETE CASCADE
);
CREATE INDEX runner_groups_namespace ON runner_groups USING btree (namespace_id, runner_id);
CREATE TRIGGER announce_group_of_runner AFTER INSERT OR DELETE ON runner_groups FOR EACH ROW EXECUTE FUNCTION announce_place_of_runner();

create table runner_projects (
  runner_id bigint not null,
  project_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint runner_projects_pkey PRIMARY KEY (runner_id, project_id),
  constraint runner_projects_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint runner_projects_runner_id_fkey FOREIGN KEY (runner_id) REFERENCES runners(id) ON DELETE CASCADE
);
CREATE INDEX runner_projects_project ON runner_projects USING btree (project_id, runner_id);
CREATE TRIGGER announce_project_of_runner AFTER INSERT OR DELETE ON runner_projects FOR EACH ROW EXECUTE FUNCTION announce_place_of_runner();

create table runners (
  id bigint generated always as identity not null,
  runner_type text not null,
  token_digest text not null,
  short_token text not null,
  description text,
  active boolean default true not null,
  locked boolean default false not null,
  run_untagged boolean default true not null,
  access_level text default 'not_protected'::text not null,
  tags text[] default '{}'::text[] not null,
  maximum_timeout integer,
  contacted_at timestamp with time zone,
  ip_address text,
  name text,
  version text,
  revision text,
  platform text,
  architecture text,
  executor text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  token_created_at timestamp with time zone default now() not null,
  constraint runners_pkey PRIMARY KEY (id),
  constraint runners_token_digest_key UNIQUE (token_digest),
  constraint runners_access_level_check CHECK ((access_level = ANY (ARRAY['not_protected'::text, 'ref_protected'::text]))),
  constraint runners_maximum_timeout_check CHECK ((maximum_timeout >= 600)),
  constraint runners_runner_type_check CHECK ((runner_type = ANY (ARRAY['instance_type'::text, 'group_type'::text, 'project_type'::text])))
);
CREATE INDEX runners_type ON runners USING btree (runner_type, id);
CREATE TRIGGER announce_runner AFTER DELETE OR UPDATE OF runner_type, token_digest, description, active, locked, run_untagged, access_level, tags, maximum_timeout ON runners FOR EACH ROW EXECUTE FUNCTION announce_runner();

create table runners_tokens (
  id bigint generated always as identity not null,
  namespace_id bigint,
  project_id bigint,
  digest text not null,
  encrypted text not null,
  created_at timestamp with time zone default now() not null,
  constraint runners_tokens_pkey PRIMARY KEY (id),
  constraint runners_tokens_digest_key UNIQUE (digest),
  constraint runners_tokens_namespace_id_key UNIQUE (namespace_id),
  constraint runners_tokens_project_id_key UNIQUE (project_id),
  constraint runners_tokens_check CHECK ((num_nonnulls(namespace_id, project_id) <= 1)),
  constraint runners_tokens_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint runners_tokens_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX runners_tokens_instance_key ON runners_tokens USING btree ((true)) WHERE ((namespace_id IS NULL) AND (project_id IS NULL));

create table saml_answers (
  id bigint generated always as identity not null,
  provider text not null,
  assertion_digest text not null,
  digest text not null,
  said jsonb,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint saml_answers_pkey PRIMARY KEY (id),
  constraint saml_answers_digest_key UNIQUE (digest),
  constraint saml_answers_provider_assertion_digest_key UNIQUE (provider, assertion_digest)
);
CREATE INDEX saml_answers_expires_at ON saml_answers USING btree (expires_at);

create table saml_providers (
  id bigint generated always as identity not null,
  group_id bigint not null,
  name text not null,
  issuer text not null,
  sso_url text not null,
  certificate text not null,
  default_membership_role integer not null,
  enabled boolean default true not null,
  enforced boolean default false not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  slo_url text,
  git_check_enforced boolean default false not null,
  constraint saml_providers_pkey PRIMARY KEY (id),
  constraint saml_providers_group_id_key UNIQUE (group_id),
  constraint saml_providers_name_key UNIQUE (name),
  constraint saml_providers_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE
);

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
  enabled_by_admin boolean default false not null,
  enabled_by bigint,
  accounts_at_most integer,
  constraint scim_tokens_pkey PRIMARY KEY (group_id),
  constraint scim_tokens_digest_key UNIQUE (digest),
  constraint scim_tokens_default_membership_role_check CHECK ((default_membership_role = ANY (ARRAY[10, 20, 30, 40, 50]))),
  constraint scim_tokens_enabled_by_fkey FOREIGN KEY (enabled_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint scim_tokens_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE
);
CREATE INDEX scim_tokens_enabled_by ON scim_tokens USING btree (enabled_by);

create table seen_versions (
  merge_request_id bigint not null,
  user_id bigint not null,
  version_id bigint not null,
  previous_version_id bigint,
  seen_at timestamp with time zone not null,
  constraint seen_versions_pkey PRIMARY KEY (merge_request_id, user_id),
  constraint seen_versions_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint seen_versions_previous_version_id_fkey FOREIGN KEY (previous_version_id) REFERENCES merge_request_versions(id) ON DELETE SET NULL,
  constraint seen_versions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint seen_versions_version_id_fkey FOREIGN KEY (version_id) REFERENCES merge_request_versions(id) ON DELETE CASCADE
);
CREATE INDEX seen_versions_previous_version_id ON seen_versions USING btree (previous_version_id);
CREATE INDEX seen_versions_user_id ON seen_versions USING btree (user_id);
CREATE INDEX seen_versions_version_id ON seen_versions USING btree (version_id);

create table session_sign_ons (
  session_id bigint not null,
  saml_provider_id bigint not null,
  signed_on_at timestamp with time zone not null,
  provider_session jsonb,
  constraint session_sign_ons_pkey PRIMARY KEY (session_id, saml_provider_id),
  constraint session_sign_ons_saml_provider_id_fkey FOREIGN KEY (saml_provider_id) REFERENCES saml_providers(id) ON DELETE CASCADE,
  constraint session_sign_ons_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);
CREATE INDEX session_sign_ons_provider ON session_sign_ons USING btree (saml_provider_id);

create table sessions (
  id bigint generated always as identity not null,
  digest text not null,
  user_id bigint not null,
  ip_address text,
  user_agent text,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  acting_as_id bigint,
  confirmed_at timestamp with time zone default now() not null,
  provider text,
  provider_session jsonb,
  admin_mode_since timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_digest_key UNIQUE (digest),
  constraint sessions_check CHECK ((acting_as_id <> user_id)),
  constraint sessions_acting_as_id_fkey FOREIGN KEY (acting_as_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_acting_as ON sessions USING btree (acting_as_id);
CREATE INDEX sessions_expires_at ON sessions USING btree (expires_at);
CREATE INDEX sessions_named_by_provider ON sessions USING btree (provider, ((provider_session ->> 'nameId'::text))) WHERE (provider_session IS NOT NULL);
CREATE INDEX sessions_user ON sessions USING btree (user_id);

create table shares (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  group_id bigint not null,
  access_level integer not null,
  expires_at date,
  created_at timestamp with time zone default now() not null,
  constraint shares_pkey PRIMARY KEY (id),
  constraint shares_namespace_id_group_id_key UNIQUE (namespace_id, group_id),
  constraint shares_project_id_group_id_key UNIQUE (project_id, group_id),
  constraint shares_access_level_check CHECK ((access_level = ANY (ARRAY[10, 20, 30, 40, 50]))),
  constraint shares_check CHECK ((num_nonnulls(project_id, namespace_id) = 1)),
  constraint shares_check1 CHECK ((namespace_id <> group_id)),
  constraint shares_group_id_fkey FOREIGN KEY (group_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint shares_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint shares_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX shares_group ON shares USING btree (group_id);

create table signing_keys (
  id bigint generated always as identity not null,
  kid text not null,
  public_key jsonb not null,
  private_key text,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint signing_keys_pkey PRIMARY KEY (id),
  constraint signing_keys_kid_key UNIQUE (kid),
  constraint signing_keys_check CHECK (((private_key IS NULL) = (retired_at IS NOT NULL)))
);
CREATE UNIQUE INDEX signing_keys_current ON signing_keys USING btree ((true)) WHERE (retired_at IS NULL);

create table site_domains (
  id bigint generated always as identity not null,
  project_id bigint not null,
  domain text not null,
  verification_code text not null,
  certificate text,
  private_key text,
  auto_ssl_enabled boolean default false not null,
  verified_at timestamp with time zone,
  enabled_until timestamp with time zone,
  remove_at timestamp with time zone,
  checked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint site_domains_pkey PRIMARY KEY (id),
  constraint site_domains_domain_check CHECK ((domain = lower(domain))),
  constraint site_domains_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX site_domains_domain ON site_domains USING btree (domain);
CREATE INDEX site_domains_due ON site_domains USING btree (enabled_until NULLS FIRST, id);
CREATE INDEX site_domains_project ON site_domains USING btree (project_id, domain);
CREATE INDEX site_domains_removal ON site_domains USING btree (remove_at) WHERE (remove_at IS NOT NULL);

create table snippets (
  id bigint generated always as identity not null,
  author_id bigint not null,
  project_id bigint,
  title text not null,
  description text,
  visibility text not null,
  repository_storage text default 'default'::text not null,
  default_branch text not null,
  file_paths text[] default '{}'::text[] not null,
  repository_size bigint default 0 not null,
  user_agent text default ''::text not null,
  ip_address text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint snippets_pkey PRIMARY KEY (id),
  constraint snippets_visibility_check CHECK ((visibility = ANY (ARRAY['private'::text, 'internal'::text, 'public'::text]))),
  constraint snippets_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  constraint snippets_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX snippets_author ON snippets USING btree (author_id, id DESC);
CREATE INDEX snippets_open ON snippets USING btree (visibility, id DESC) WHERE (project_id IS NULL);
CREATE INDEX snippets_project ON snippets USING btree (project_id, id DESC) WHERE (project_id IS NOT NULL);
CREATE TRIGGER keep_deleted_snippet AFTER DELETE ON snippets FOR EACH ROW EXECUTE FUNCTION keep_deleted_snippet();

create table storage_reservations (
  id bigint generated always as identity not null,
  project_id bigint not null,
  bytes bigint not null,
  expires_at timestamp with time zone not null,
  of_outsider boolean default false not null,
  constraint storage_reservations_pkey PRIMARY KEY (id),
  constraint storage_reservations_bytes_check CHECK ((bytes >= 0)),
  constraint storage_reservations_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX storage_reservations_project ON storage_reservations USING btree (project_id);

create table stored_objects (
  id bigint generated always as identity not null,
  key text not null,
  size bigint not null,
  sha256 text not null,
  created_at timestamp with time zone default now() not null,
  constraint stored_objects_pkey PRIMARY KEY (id),
  constraint stored_objects_key_key UNIQUE (key),
  constraint stored_objects_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint stored_objects_size_check CHECK ((size >= 0))
);
CREATE INDEX stored_objects_created_at ON stored_objects USING btree (created_at);

create table subscriptions (
  id bigint generated always as identity not null,
  user_id bigint not null,
  issue_id bigint,
  label_id bigint,
  subscribed boolean not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  merge_request_id bigint,
  epic_id bigint,
  commented_commit_id bigint,
  snippet_id bigint,
  constraint subscriptions_pkey PRIMARY KEY (id),
  constraint subscriptions_commented_commit_key UNIQUE (commented_commit_id, user_id),
  constraint subscriptions_epic_key UNIQUE (epic_id, user_id),
  constraint subscriptions_issue_key UNIQUE (issue_id, user_id),
  constraint subscriptions_label_key UNIQUE (label_id, user_id),
  constraint subscriptions_merge_request_key UNIQUE (merge_request_id, user_id),
  constraint subscriptions_snippet_key UNIQUE (snippet_id, user_id),
  constraint subscriptions_one_thing CHECK ((num_nonnulls(issue_id, label_id, merge_request_id, epic_id, commented_commit_id, snippet_id) = 1)),
  constraint subscriptions_commented_commit_id_fkey FOREIGN KEY (commented_commit_id) REFERENCES commented_commits(id) ON DELETE CASCADE,
  constraint subscriptions_epic_id_fkey FOREIGN KEY (epic_id) REFERENCES epics(id) ON DELETE CASCADE,
  constraint subscriptions_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint subscriptions_label_id_fkey FOREIGN KEY (label_id) REFERENCES labels(id) ON DELETE CASCADE,
  constraint subscriptions_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint subscriptions_snippet_id_fkey FOREIGN KEY (snippet_id) REFERENCES snippets(id) ON DELETE CASCADE,
  constraint subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX subscriptions_user ON subscriptions USING btree (user_id);

create table suggestions (
  id bigint generated always as identity not null,
  note_id bigint not null,
  "position" integer not null,
  lines_above integer default 0 not null,
  lines_below integer default 0 not null,
  from_content text not null,
  to_content text not null,
  applied boolean default false not null,
  commit_id text,
  constraint suggestions_pkey PRIMARY KEY (id),
  constraint suggestions_position_key UNIQUE (note_id, "position"),
  constraint suggestions_lines_above_check CHECK ((lines_above >= 0)),
  constraint suggestions_lines_below_check CHECK ((lines_below >= 0)),
  constraint suggestions_note_id_fkey FOREIGN KEY (note_id) REFERENCES notes(id) ON DELETE CASCADE
);

create table terraform_state_parts (
  id bigint generated always as identity not null,
  version_id bigint not null,
  "position" integer not null,
  content text not null,
  constraint terraform_state_parts_pkey PRIMARY KEY (id),
  constraint terraform_state_parts_position_key UNIQUE (version_id, "position"),
  constraint terraform_state_parts_position_check CHECK (("position" >= 0)),
  constraint terraform_state_parts_version_id_fkey FOREIGN KEY (version_id) REFERENCES terraform_state_versions(id) ON DELETE CASCADE
);

create table terraform_state_versions (
  id bigint generated always as identity not null,
  terraform_state_id bigint not null,
  serial bigint not null,
  content text,
  creator_id bigint,
  job_id bigint,
  created_at timestamp with time zone default now() not null,
  constraint terraform_state_versions_pkey PRIMARY KEY (id),
  constraint terraform_state_versions_terraform_state_id_serial_key UNIQUE (terraform_state_id, serial),
  constraint terraform_state_versions_serial_check CHECK ((serial >= 0)),
  constraint terraform_state_versions_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint terraform_state_versions_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE SET NULL,
  constraint terraform_state_versions_terraform_state_id_fkey FOREIGN KEY (terraform_state_id) REFERENCES terraform_states(id) ON DELETE CASCADE
);
CREATE INDEX terraform_state_versions_creator ON terraform_state_versions USING btree (creator_id);
CREATE INDEX terraform_state_versions_job ON terraform_state_versions USING btree (job_id);
CREATE INDEX terraform_state_versions_newest ON terraform_state_versions USING btree (terraform_state_id, id);

create table terraform_states (
  id bigint generated always as identity not null,
  project_id bigint not null,
  name text not null,
  lock_id text,
  lock_info json,
  locked_by_id bigint,
  locked_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint terraform_states_pkey PRIMARY KEY (id),
  constraint terraform_states_project_id_name_key UNIQUE (project_id, name),
  constraint terraform_states_check CHECK ((((lock_id IS NULL) = (lock_info IS NULL)) AND ((lock_id IS NULL) = (locked_at IS NULL)))),
  constraint terraform_states_locked_by_id_fkey FOREIGN KEY (locked_by_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint terraform_states_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX terraform_states_locked_by ON terraform_states USING btree (locked_by_id);

create table test_reports (
  job_id bigint not null,
  success_count integer not null,
  failed_count integer not null,
  skipped_count integer not null,
  error_count integer not null,
  total_time double precision not null,
  suite_error text,
  cases json not null,
  created_at timestamp with time zone default now() not null,
  constraint test_reports_pkey PRIMARY KEY (job_id),
  constraint test_reports_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
);

create table timelogs (
  id bigint generated always as identity not null,
  issue_id bigint,
  user_id bigint,
  time_spent integer not null,
  spent_at timestamp with time zone not null,
  summary text,
  created_at timestamp with time zone default now() not null,
  merge_request_id bigint,
  constraint timelogs_pkey PRIMARY KEY (id),
  constraint timelogs_one_noteable CHECK ((num_nonnulls(issue_id, merge_request_id) = 1)),
  constraint timelogs_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint timelogs_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint timelogs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX timelogs_issue ON timelogs USING btree (issue_id);
CREATE INDEX timelogs_merge_request ON timelogs USING btree (merge_request_id) WHERE (merge_request_id IS NOT NULL);
CREATE INDEX timelogs_user ON timelogs USING btree (user_id);

create table todos (
  id bigint generated always as identity not null,
  user_id bigint not null,
  author_id bigint not null,
  project_id bigint,
  issue_id bigint,
  note_id bigint,
  action text not null,
  state text default 'pending'::text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  namespace_id bigint,
  merge_request_id bigint,
  epic_id bigint,
  snoozed_until timestamp with time zone,
  commented_commit_id bigint,
  constraint todos_pkey PRIMARY KEY (id),
  constraint todos_action_check CHECK ((action = ANY (ARRAY['assigned'::text, 'mentioned'::text, 'build_failed'::text, 'marked'::text, 'approval_required'::text, 'unmergeable'::text, 'directly_addressed'::text, 'merge_train_removed'::text, 'review_requested'::text]))),
  constraint todos_one_place CHECK ((num_nonnulls(project_id, namespace_id) = 1)),
  constraint todos_one_target CHECK ((num_nonnulls(issue_id, merge_request_id, epic_id, commented_commit_id) = 1)),
  constraint todos_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'done'::text]))),
  constraint todos_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint todos_commented_commit_id_fkey FOREIGN KEY (commented_commit_id) REFERENCES commented_commits(id) ON DELETE CASCADE,
  constraint todos_epic_id_fkey FOREIGN KEY (epic_id) REFERENCES epics(id) ON DELETE CASCADE,
  constraint todos_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint todos_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint todos_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint todos_note_id_fkey FOREIGN KEY (note_id) REFERENCES notes(id) ON DELETE CASCADE,
  constraint todos_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint todos_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX todos_author ON todos USING btree (author_id);
CREATE INDEX todos_commented_commit ON todos USING btree (commented_commit_id) WHERE (commented_commit_id IS NOT NULL);
CREATE INDEX todos_epic ON todos USING btree (epic_id) WHERE (epic_id IS NOT NULL);
CREATE INDEX todos_issue ON todos USING btree (issue_id);
CREATE INDEX todos_merge_request ON todos USING btree (merge_request_id) WHERE (merge_request_id IS NOT NULL);
CREATE INDEX todos_namespace ON todos USING btree (namespace_id) WHERE (namespace_id IS NOT NULL);
CREATE INDEX todos_note ON todos USING btree (note_id);
CREATE UNIQUE INDEX todos_pending_commented_commit_key ON todos USING btree (commented_commit_id, user_id) WHERE ((state = 'pending'::text) AND (commented_commit_id IS NOT NULL));
CREATE UNIQUE INDEX todos_pending_epic_key ON todos USING btree (epic_id, user_id) WHERE ((state = 'pending'::text) AND (epic_id IS NOT NULL));
CREATE UNIQUE INDEX todos_pending_key ON todos USING btree (issue_id, user_id) WHERE (state = 'pending'::text);
CREATE UNIQUE INDEX todos_pending_merge_request_key ON todos USING btree (merge_request_id, user_id) WHERE ((state = 'pending'::text) AND (merge_request_id IS NOT NULL));
CREATE INDEX todos_project ON todos USING btree (project_id);
CREATE INDEX todos_user ON todos USING btree (user_id, state, id);
CREATE TRIGGER announce_moved_todos AFTER UPDATE OF state, snoozed_until ON todos FOR EACH ROW WHEN (((new.state IS DISTINCT FROM old.state) OR (new.snoozed_until IS DISTINCT FROM old.snoozed_until))) EXECUTE FUNCTION announce_todos();
CREATE TRIGGER announce_todos AFTER INSERT OR DELETE ON todos FOR EACH ROW EXECUTE FUNCTION announce_todos();

create table topics (
  id bigint generated always as identity not null,
  name text not null,
  title text,
  description text,
  total_projects_count integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  avatar_url text,
  constraint topics_pkey PRIMARY KEY (id),
  constraint topics_name_key UNIQUE (name)
);
CREATE INDEX topics_count ON topics USING btree (total_projects_count DESC, id);
CREATE INDEX topics_name_trgm ON topics USING gin (name gin_trgm_ops);
CREATE INDEX topics_title_trgm ON topics USING gin (title gin_trgm_ops);

create table totp_factors (
  id bigint generated always as identity not null,
  user_id bigint not null,
  secret text not null,
  last_step bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint totp_factors_pkey PRIMARY KEY (id),
  constraint totp_factors_user_id_key UNIQUE (user_id),
  constraint totp_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table unprocessed_jobs (
  job_id bigint not null,
  pipeline_id bigint not null,
  constraint unprocessed_jobs_pkey PRIMARY KEY (job_id),
  constraint unprocessed_jobs_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
);
CREATE INDEX unprocessed_jobs_pipeline ON unprocessed_jobs USING btree (pipeline_id);

create table uploads (
  id bigint generated always as identity not null,
  project_id bigint not null,
  object_id bigint not null,
  uploader_id bigint,
  secret text not null,
  filename text not null,
  image_type text,
  created_at timestamp with time zone default now() not null,
  of_outsider boolean default false not null,
  constraint uploads_pkey PRIMARY KEY (id),
  constraint uploads_secret_key UNIQUE (project_id, secret),
  constraint uploads_object_id_fkey FOREIGN KEY (object_id) REFERENCES stored_objects(id),
  constraint uploads_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE,
  constraint uploads_uploader_id_fkey FOREIGN KEY (uploader_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX uploads_latest ON uploads USING btree (project_id, created_at DESC, id DESC);
CREATE INDEX uploads_object ON uploads USING btree (object_id);
CREATE INDEX uploads_uploader ON uploads USING btree (uploader_id);

create table user_follows (
  follower_id bigint not null,
  followed_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint user_follows_pkey PRIMARY KEY (follower_id, followed_id),
  constraint user_follows_not_of_oneself CHECK ((follower_id <> followed_id)),
  constraint user_follows_followed_id_fkey FOREIGN KEY (followed_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint user_follows_follower_id_fkey FOREIGN KEY (follower_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX user_follows_followed ON user_follows USING btree (followed_id, created_at);

create table user_mentions (
  issue_id bigint,
  note_id bigint,
  user_id bigint not null,
  merge_request_id bigint,
  epic_id bigint,
  commented_commit_id bigint,
  snippet_id bigint,
  constraint user_mentions_one_thing CHECK ((num_nonnulls(issue_id, merge_request_id, epic_id, commented_commit_id, snippet_id) = 1)),
  constraint user_mentions_commented_commit_id_fkey FOREIGN KEY (commented_commit_id) REFERENCES commented_commits(id) ON DELETE CASCADE,
  constraint user_mentions_epic_id_fkey FOREIGN KEY (epic_id) REFERENCES epics(id) ON DELETE CASCADE,
  constraint user_mentions_issue_id_fkey FOREIGN KEY (issue_id) REFERENCES issues(id) ON DELETE CASCADE,
  constraint user_mentions_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint user_mentions_note_id_fkey FOREIGN KEY (note_id) REFERENCES notes(id) ON DELETE CASCADE,
  constraint user_mentions_snippet_id_fkey FOREIGN KEY (snippet_id) REFERENCES snippets(id) ON DELETE CASCADE,
  constraint user_mentions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX user_mentions_commented_commit_key ON user_mentions USING btree (commented_commit_id, COALESCE(note_id, (0)::bigint), user_id) WHERE (commented_commit_id IS NOT NULL);
CREATE UNIQUE INDEX user_mentions_epic_key ON user_mentions USING btree (epic_id, COALESCE(note_id, (0)::bigint), user_id) WHERE (epic_id IS NOT NULL);
CREATE UNIQUE INDEX user_mentions_issue_key ON user_mentions USING btree (issue_id, COALESCE(note_id, (0)::bigint), user_id);
CREATE UNIQUE INDEX user_mentions_merge_request_key ON user_mentions USING btree (merge_request_id, COALESCE(note_id, (0)::bigint), user_id) WHERE (merge_request_id IS NOT NULL);
CREATE INDEX user_mentions_note ON user_mentions USING btree (note_id);
CREATE UNIQUE INDEX user_mentions_snippet_key ON user_mentions USING btree (snippet_id, COALESCE(note_id, (0)::bigint), user_id) WHERE (snippet_id IS NOT NULL);
CREATE INDEX user_mentions_user ON user_mentions USING btree (user_id);

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
  creator_id bigint,
  preferences jsonb default '{}'::jsonb not null,
  two_factor_enabled boolean default false not null,
  two_factor_grace_from timestamp with time zone,
  unconfirmed_email text,
  locked_until timestamp with time zone,
  feed_token_version integer default 0 not null,
  incoming_email_version integer default 0 not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_kind_check CHECK ((kind = ANY (ARRAY['human'::text, 'project_bot'::text, 'ghost'::text, 'support_bot'::text]))),
  constraint users_preferences_check CHECK ((jsonb_typeof(preferences) = 'object'::text)),
  constraint users_state_check CHECK ((state = ANY (ARRAY['active'::text, 'blocked'::text, 'banned'::text, 'deactivated'::text, 'blocked_pending_approval'::text]))),
  constraint users_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX users_created_at ON users USING btree (created_at, id);
CREATE INDEX users_creator ON users USING btree (creator_id) WHERE (creator_id IS NOT NULL);
CREATE INDEX users_email ON users USING btree (lower(email));
CREATE UNIQUE INDEX users_email_key ON users USING btree (lower(email)) WHERE (confirmed_at IS NOT NULL);
CREATE INDEX users_name_trgm ON users USING gin (name gin_trgm_ops);
CREATE INDEX users_private_profile ON users USING btree (id) WHERE private_profile;
CREATE INDEX users_public_email ON users USING btree (lower(public_email)) WHERE (public_email <> ''::text);
CREATE INDEX users_unconfirmed_email ON users USING btree (lower(unconfirmed_email)) WHERE (unconfirmed_email IS NOT NULL);
CREATE UNIQUE INDEX users_username_key ON users USING btree (lower(username));
CREATE INDEX users_username_trgm ON users USING gin (username gin_trgm_ops);
CREATE TRIGGER announce_jobs_of_user AFTER UPDATE OF state ON users FOR EACH ROW WHEN (((new.state = 'active'::text) AND (old.state <> 'active'::text))) EXECUTE FUNCTION announce_jobs_of_user();
CREATE TRIGGER release_provisioned_administrator AFTER UPDATE OF admin ON users FOR EACH ROW WHEN ((new.admin AND (NOT old.admin))) EXECUTE FUNCTION release_provisioned_administrator();

create table viewed_files (
  merge_request_id bigint not null,
  user_id bigint not null,
  path_sha text not null,
  path text not null,
  blob_id text not null,
  viewed_at timestamp with time zone not null,
  constraint viewed_files_pkey PRIMARY KEY (merge_request_id, user_id, path_sha),
  constraint viewed_files_path_sha_check CHECK ((length(path_sha) = 40)),
  constraint viewed_files_merge_request_id_fkey FOREIGN KEY (merge_request_id) REFERENCES merge_requests(id) ON DELETE CASCADE,
  constraint viewed_files_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX viewed_files_user_id ON viewed_files USING btree (user_id);

create table webauthn_credentials (
  id bigint generated always as identity not null,
  user_id bigint not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  passkey boolean not null,
  name text not null,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint webauthn_credentials_pkey PRIMARY KEY (id),
  constraint webauthn_credentials_credential_id_key UNIQUE (credential_id),
  constraint webauthn_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX webauthn_credentials_user ON webauthn_credentials USING btree (user_id);

create table webauthn_used_challenges (
  id bigint generated always as identity not null,
  challenge text not null,
  expires_at timestamp with time zone not null,
  constraint webauthn_used_challenges_pkey PRIMARY KEY (id),
  constraint webauthn_used_challenges_challenge_key UNIQUE (challenge)
);
CREATE INDEX webauthn_used_challenges_expires_at ON webauthn_used_challenges USING btree (expires_at);

create table wiki_pages (
  id bigint generated always as identity not null,
  project_id bigint,
  namespace_id bigint,
  slug text not null,
  title text not null,
  format text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint wiki_pages_pkey PRIMARY KEY (id),
  constraint wiki_pages_check CHECK ((num_nonnulls(project_id, namespace_id) = 1)),
  constraint wiki_pages_namespace_id_fkey FOREIGN KEY (namespace_id) REFERENCES namespaces(id) ON DELETE CASCADE,
  constraint wiki_pages_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX wiki_pages_namespace_slug ON wiki_pages USING btree (namespace_id, slug) WHERE (namespace_id IS NOT NULL);
CREATE UNIQUE INDEX wiki_pages_project_slug ON wiki_pages USING btree (project_id, slug) WHERE (project_id IS NOT NULL);

create view memberships as
 SELECT members.user_id,
    members.namespace_id,
    members.project_id,
    members.access_level,
    members.expires_at,
    members.created_at,
    NULL::bigint AS share_id
   FROM members
UNION ALL
 SELECT m.user_id,
    s.namespace_id,
    s.project_id,
    LEAST(m.access_level, s.access_level) AS access_level,
    LEAST(m.expires_at, s.expires_at) AS expires_at,
    m.created_at,
    s.id AS share_id
   FROM ((((shares s
     JOIN namespaces invited ON ((invited.id = s.group_id)))
     JOIN members m ON (((m.namespace_id = ANY (invited.traversal_ids)) AND (invited.traversal_ids @> ARRAY[m.namespace_id]))))
     LEFT JOIN projects ON ((projects.id = s.project_id)))
     LEFT JOIN namespaces home ON ((home.id = projects.namespace_id)))
  WHERE (home.share_with_group_lock IS NOT TRUE);

CREATE OR REPLACE FUNCTION public.announce_activity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('activity:' || new.project_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_board()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('board:' || new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_branch_level()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('protected_branches:' || project_id) from protected_branches
    where id = coalesce(new.protected_branch_id, old.protected_branch_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_change(changed text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from live_watches where topic = changed and expires_at > now()) then
    perform pg_notify('ingot_live', changed);
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_change_of_merge_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('merge_request:' || coalesce(new.merge_request_id, old.merge_request_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_commit_note()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('commit_comments:' || project_id)
     from commented_commits where id = coalesce(new.commented_commit_id, old.commented_commit_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_deployed_merge_requests()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change(watched.topic)
     from (select distinct topic from live_watches where topic like 'merge\_request:%' and expires_at > now()) as watched
     join merge_requests on merge_requests.id = split_part(watched.topic, ':', 2)::bigint
    where merge_requests.head_sha = new.sha and merge_requests.project_id = new.project_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_environment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('environments:' || coalesce(new.project_id, old.project_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_environment_level()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('protected_environments:' || project_id), announce_change('protected_tiers:' || namespace_id)
    from protected_environments where id = coalesce(new.protected_environment_id, old.protected_environment_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_epic()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    perform announce_epics_above(old.parent_id);
  end if;
  if tg_op = 'DELETE' then
    perform announce_change('epics:' || unnest(traversal_ids)) from namespaces where id = old.namespace_id;
    return null;
  end if;
  perform announce_epics_above(new.id);
  perform announce_change('epics:' || unnest(traversal_ids)) from namespaces where id = new.namespace_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_epics_above(epic bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if epic is null or not exists (select from live_watches where topic like 'epic:%' and expires_at > now()) then
    return;
  end if;
  perform announce_change('epic:' || line.id)
     from (with recursive line as (
             select id, parent_id, 1 as depth from epics where id = epic
             union all select epics.id, epics.parent_id, depth + 1 from epics join line on epics.id = line.parent_id where depth < 20
           ) select id from line) as line;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_group_archive()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change(tg_argv[0] || ':' || coalesce(new.namespace_id, old.namespace_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_group_issues(project bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('ingot_live', watched.topic)
     from (select distinct w.topic
             from projects p join namespaces n on n.id = p.namespace_id
             cross join lateral unnest(n.traversal_ids) as above(id)
             join live_watches w on w.topic = 'group_issues:' || above.id and w.expires_at > now()
            where p.id = project) as watched;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_hook()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('hook:' || new.hook_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_in_project()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change(tg_argv[0] || ':' || coalesce(new.project_id, old.project_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_issue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('issue:' || new.id);
  perform announce_change('issues:' || new.project_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_issue_in_groups()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_group_issues(new.project_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_issue_of_epic()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and old.epic_id is distinct from new.epic_id then
    perform announce_epics_above(old.epic_id);
  end if;
  if tg_op = 'DELETE' then
    perform announce_epics_above(old.epic_id);
  else
    perform announce_epics_above(new.epic_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('pipeline:' || new.pipeline_id);
  perform announce_change('job:' || new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_jobs_of_namespace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('ingot_runner_queue', jobs.id::text) from projects join jobs on jobs.project_id = projects.id
    where projects.namespace_id = new.id and jobs.status = 'pending' and jobs.kind = 'build';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_jobs_of_project()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('ingot_runner_queue', id::text) from jobs where project_id = new.id and status = 'pending' and kind = 'build';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_jobs_of_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('ingot_runner_queue', id::text) from jobs where user_id = new.id and status = 'pending' and kind = 'build';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_merge_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('merge_request:' || new.id);
  perform announce_change('merge_requests:' || new.project_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_migrated()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('migration:' || new.bulk_import_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_migration()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('migration:' || new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_milestone()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('milestone:' || new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_moved_issue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  project bigint := coalesce(new.project_id, old.project_id);
begin
  perform announce_change('issues:' || project);
  perform announce_group_issues(project);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_note()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('issue:' || coalesce(new.issue_id, old.issue_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_note_on_epic()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('epic:' || coalesce(new.epic_id, old.epic_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_pending_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('ingot_runner_queue', new.id::text);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_pipeline()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('pipelines:' || new.project_id);
  perform announce_change('pipeline:' || new.id);
  perform announce_change(watched.topic)
     from (select distinct topic from live_watches where topic like 'merge\_request:%' and expires_at > now()) as watched
     join merge_requests on merge_requests.id = split_part(watched.topic, ':', 2)::bigint
    where merge_requests.head_sha = new.sha;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_place_of_runner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('ingot_runner_queue', 'runner ' || coalesce(new.runner_id, old.runner_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_planned()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.milestone_id is not null then
    perform announce_change('milestone:' || new.milestone_id);
  end if;
  if old.milestone_id is not null and old.milestone_id is distinct from new.milestone_id then
    perform announce_change('milestone:' || old.milestone_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_project_import()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('project_import:' || new.id);
  perform announce_change('repository:' || new.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_protected_environment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('protected_environments:' || coalesce(new.project_id, old.project_id));
  perform announce_change('protected_tiers:' || coalesce(new.namespace_id, old.namespace_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_reaction()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  issue bigint := coalesce(new.issue_id, old.issue_id);
  merge_request bigint := coalesce(new.merge_request_id, old.merge_request_id);
  commit_project bigint;
begin
  if coalesce(new.note_id, old.note_id) is not null then
    select notes.issue_id, notes.merge_request_id, commented_commits.project_id into issue, merge_request, commit_project
      from notes left join commented_commits on commented_commits.id = notes.commented_commit_id
     where notes.id = coalesce(new.note_id, old.note_id);
  end if;
  if issue is not null then
    perform announce_change('issue:' || issue);
  end if;
  if merge_request is not null then
    perform announce_change('merge_request:' || merge_request);
  end if;
  if commit_project is not null then
    perform announce_change('commit_comments:' || commit_project);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_reaction_to_epic()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed bigint := coalesce(new.epic_id, old.epic_id);
begin
  if changed is null then
    select epic_id into changed from notes where id = coalesce(new.note_id, old.note_id);
  end if;
  if changed is not null then
    perform announce_change('epic:' || changed);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_report()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('merge_request:' || watched.id)
     from (select distinct split_part(topic, ':', 2)::bigint as id from live_watches
            where topic like 'merge\_request:%' and expires_at > now()) as watched
     join merge_requests on merge_requests.id = watched.id
     join pipelines on pipelines.sha = merge_requests.head_sha
     join jobs on jobs.pipeline_id = pipelines.id
     join job_artifacts on job_artifacts.job_id = jobs.id
    where job_artifacts.id = new.artifact_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_repository_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('repository:' || new.project_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_runner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('ingot_runner_queue', 'runner ' || old.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_runner_settings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('ingot_runner_queue', 'runners');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_schedule()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('pipeline_schedules:' || coalesce(new.project_id, old.project_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_tag_level()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('protected_tags:' || project_id) from protected_tags
    where id = coalesce(new.protected_tag_id, old.protected_tag_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_todos()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('todos:' || coalesce(new.user_id, old.user_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.announce_trace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform announce_change('job:' || new.job_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.begin_project_statistics()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into project_statistics (project_id) select id from new_projects;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_added_artifacts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into jobs_with_artifacts (job_id, project_id, ref, size, files)
  select a.job_id, a.project_id, pipelines.ref, sum(a.size), count(*)
    from added a join jobs on jobs.id = a.job_id join pipelines on pipelines.id = jobs.pipeline_id
   where a.file_type <> 'trace'
   group by a.job_id, a.project_id, pipelines.ref
   order by a.job_id
  on conflict (job_id) do update set size = jobs_with_artifacts.size + excluded.size, files = jobs_with_artifacts.files + excluded.files;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_project_forks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    update projects set forks_count = forks_count + 1 where id = new.source_id;
  else
    update projects set forks_count = forks_count - 1 where id = old.source_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_project_stars()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    update projects set star_count = star_count + 1 where id = new.project_id;
  else
    update projects set star_count = star_count - 1 where id = old.project_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_removed_artifacts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Locked in the order of their ids, so that two removals wait for each other instead of deadlocking.
  perform from jobs_with_artifacts where job_id in (select job_id from removed where file_type <> 'trace') order by job_id for no key update;
  update jobs_with_artifacts listed set size = listed.size - gone.size, files = listed.files - gone.files
    from (select job_id, sum(size) as size, count(*) as files from removed where file_type <> 'trace' group by job_id) gone
   where listed.job_id = gone.job_id;
  delete from jobs_with_artifacts where files = 0 and job_id in (select job_id from removed);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_topics()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  gone text[] := case when tg_op = 'INSERT' then '{}' else old.topics end;
  come text[] := case when tg_op = 'DELETE' then '{}' else new.topics end;
begin
  insert into topics as known (name, total_projects_count)
  select name, sum(change) from (
    select unnest(come) as name, 1 as change union all select unnest(gone), -1
  ) as changes group by name having sum(change) <> 0 order by name
  on conflict (name) do update set total_projects_count = known.total_projects_count + excluded.total_projects_count;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_deleted_snippet()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into deleted_snippets (id, repository_storage) values (old.id, old.repository_storage);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_issue_labels()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform set_label_priorities(array(select distinct issue_id from changed));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_label_priority()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed label_priorities := coalesce(new, old);
begin
  perform set_label_priorities(array(
    select i.id from issues i join issue_labels il on il.issue_id = i.id
     where il.label_id = changed.label_id and i.project_id = changed.project_id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.note_merge_state()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.merge_state_changed_at := clock_timestamp();
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.private_commit_email(user_id bigint, username text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select user_id || '-' || username || '@' || commit_email_hostname from application_settings
$function$;

CREATE OR REPLACE FUNCTION public.release_provisioned_administrator()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update provisioned_users set group_id = null where user_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.set_label_priorities(issue_ids bigint[])
 RETURNS void
 LANGUAGE sql
AS $function$
  update issues set label_priority = urgent.priority
    from (select i.id, min(p.priority) as priority
            from issues i
            left join issue_labels il on il.issue_id = i.id
            left join label_priorities p on p.label_id = il.label_id and p.project_id = i.project_id
           where i.id = any(issue_ids) group by i.id) as urgent
   where issues.id = urgent.id and issues.label_priority is distinct from urgent.priority;
$function$;

CREATE OR REPLACE FUNCTION public.set_milestone_due_on()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.milestone_due_on := (select due_date from milestones where id = new.milestone_id);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.spread_milestone_due_date()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update issues set milestone_due_on = new.due_date where milestone_id = new.id;
  return null;
end $function$;
