-- Merge requests with what hangs on them, and what is said about merge requests and epics.

create table merge_requests (
  id bigint generated always as identity primary key,
  iid bigint not null,
  -- The target project, where the merge request lives.
  project_id bigint not null references projects on delete cascade,
  -- Null once the fork that it came from is gone.
  source_project_id bigint references projects on delete set null,
  source_branch text not null,
  target_branch text not null,
  author_id bigint not null references users,
  title text not null,
  description text,
  -- Follows from the title.
  draft boolean not null default false,
  state text not null default 'opened' check (state in ('opened', 'closed', 'locked', 'merged')),
  merge_status text not null default 'unchecked'
    check (merge_status in ('unchecked', 'checking', 'can_be_merged', 'cannot_be_merged', 'cannot_be_merged_recheck')),
  merge_error text,
  -- The tip of the source branch as last seen, and the version that shows it.
  head_sha text,
  latest_version_id bigint,
  milestone_id bigint references milestones on delete set null,
  discussion_locked boolean,
  allow_collaboration boolean not null default false,
  squash boolean not null default false,
  -- What the author wishes, and what whoever merges wishes.
  force_remove_source_branch boolean,
  should_remove_source_branch boolean,
  -- Null: the project's number.
  approvals_before_merge integer check (approvals_before_merge >= 0),
  -- To be merged as soon as the pipeline succeeds: by whom, the commit that was meant, and the messages that were given.
  merge_when_pipeline_succeeds boolean not null default false,
  merge_user_id bigint references users on delete set null,
  auto_merge_sha text,
  merge_commit_message text,
  squash_commit_message text,
  merge_commit_sha text,
  squash_commit_sha text,
  -- The commit that the target branch got, by whatever method.
  merged_commit_sha text,
  merged_at timestamptz,
  merged_by_id bigint references users on delete set null,
  closed_at timestamptz,
  closed_by_id bigint references users on delete set null,
  -- A rebase is asked for and not over.
  rebase_requested_at timestamptz,
  first_deployed_to_production_at timestamptz,
  time_estimate integer not null default 0 check (time_estimate >= 0),
  total_time_spent integer not null default 0 check (total_time_spent >= 0),
  upvotes integer not null default 0,
  downvotes integer not null default 0,
  user_notes_count integer not null default 0,
  tasks_count integer not null default 0,
  tasks_completed_count integer not null default 0,
  last_edited_at timestamptz,
  last_edited_by_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint merge_requests_iid_key unique (project_id, iid),
  check ((state = 'merged') = (merged_at is not null)),
  check (state <> 'closed' or closed_at is not null)
);
-- One open merge request for a pair of branches.
create unique index merge_requests_open_key on merge_requests (project_id, target_branch, source_project_id, source_branch)
  where state in ('opened', 'locked');
create index merge_requests_source on merge_requests (source_project_id, source_branch) where state in ('opened', 'locked');
create index merge_requests_target on merge_requests (project_id, target_branch) where state in ('opened', 'locked');
create index merge_requests_source_project on merge_requests (source_project_id);
create index merge_requests_project_created_at on merge_requests (project_id, created_at, id);
create index merge_requests_project_updated_at on merge_requests (project_id, updated_at, id);
create index merge_requests_created_at on merge_requests (created_at, id);
create index merge_requests_updated_at on merge_requests (updated_at, id);
create index merge_requests_visible on merge_requests (project_id, state) include (author_id, id);
create index merge_requests_author on merge_requests (author_id, created_at, id);
create index merge_requests_milestone on merge_requests (milestone_id, id);
create index merge_requests_merge_commit on merge_requests (project_id, merge_commit_sha) where merge_commit_sha is not null;
create index merge_requests_latest_version on merge_requests (latest_version_id);
create index merge_requests_merge_user on merge_requests (merge_user_id);
create index merge_requests_merged_by on merge_requests (merged_by_id);
create index merge_requests_closed_by on merge_requests (closed_by_id);
create index merge_requests_last_edited_by on merge_requests (last_edited_by_id);
create index merge_requests_title_trgm on merge_requests using gin (title gin_trgm_ops);
create index merge_requests_description_trgm on merge_requests using gin (description gin_trgm_ops);

-- What a merge request was after each push to its source branch. Hidden references keep the commits, so that garbage collection
-- cannot break an old version.
create table merge_request_versions (
  id bigint generated always as identity primary key,
  merge_request_id bigint not null references merge_requests on delete cascade,
  -- The tip of the source branch; the merge base of both branches; the tip of the target branch when the version was made.
  head_commit_sha text not null,
  base_commit_sha text not null,
  start_commit_sha text not null,
  state text not null default 'collected'
    check (state in ('empty', 'collected', 'overflow', 'overflow_diff_files_limit', 'overflow_diff_lines_limit', 'without_files')),
  -- Changed files and commits.
  real_size integer not null,
  commits_count integer not null,
  created_at timestamptz not null default now()
);
create index merge_request_versions_of on merge_request_versions (merge_request_id, id);
alter table merge_requests
  add constraint merge_requests_latest_version_fkey foreign key (latest_version_id) references merge_request_versions on delete set null;

create table merge_request_labels (
  merge_request_id bigint not null references merge_requests on delete cascade,
  label_id bigint not null references labels on delete cascade,
  primary key (merge_request_id, label_id)
);
create index merge_request_labels_label on merge_request_labels (label_id, merge_request_id);

create table merge_request_assignees (
  merge_request_id bigint not null references merge_requests on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (merge_request_id, user_id)
);
create index merge_request_assignees_user on merge_request_assignees (user_id, merge_request_id);

create table merge_request_reviewers (
  merge_request_id bigint not null references merge_requests on delete cascade,
  user_id bigint not null references users on delete cascade,
  state text not null default 'unreviewed' check (state in ('unreviewed', 'reviewed')),
  created_at timestamptz not null default now(),
  primary key (merge_request_id, user_id)
);
create index merge_request_reviewers_user on merge_request_reviewers (user_id, merge_request_id);

-- Issues that are closed when the merge request is merged into the default branch.
create table merge_request_closing_issues (
  merge_request_id bigint not null references merge_requests on delete cascade,
  issue_id bigint not null references issues on delete cascade,
  primary key (merge_request_id, issue_id)
);
create index merge_request_closing_issues_issue on merge_request_closing_issues (issue_id, merge_request_id);

create table approvals (
  merge_request_id bigint not null references merge_requests on delete cascade,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (merge_request_id, user_id)
);
create index approvals_user on approvals (user_id, merge_request_id);

-- Who must approve, for all merge requests of a project or for one. A rule of one may stand for a rule of the project.
create table approval_rules (
  id bigint generated always as identity primary key,
  project_id bigint references projects on delete cascade,
  merge_request_id bigint references merge_requests on delete cascade,
  source_rule_id bigint references approval_rules on delete set null,
  name text not null,
  rule_type text not null default 'regular' check (rule_type in ('any_approver', 'regular', 'code_owner', 'report_approver')),
  approvals_required integer not null check (approvals_required >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(project_id, merge_request_id) = 1),
  constraint approval_rules_project_name_key unique (project_id, name),
  constraint approval_rules_merge_request_name_key unique (merge_request_id, name)
);
create index approval_rules_source on approval_rules (source_rule_id);

create table approval_rule_users (
  approval_rule_id bigint not null references approval_rules on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (approval_rule_id, user_id)
);
create index approval_rule_users_user on approval_rule_users (user_id);

create table approval_rule_groups (
  approval_rule_id bigint not null references approval_rules on delete cascade,
  group_id bigint not null references namespaces on delete cascade,
  primary key (approval_rule_id, group_id)
);
create index approval_rule_groups_group on approval_rule_groups (group_id);

-- A rule of a project that holds for these branches only; for all where there is none.
create table approval_rule_branches (
  approval_rule_id bigint not null references approval_rules on delete cascade,
  protected_branch_id bigint not null references protected_branches on delete cascade,
  primary key (approval_rule_id, protected_branch_id)
);
create index approval_rule_branches_branch on approval_rule_branches (protected_branch_id);

alter table projects
  add column reset_approvals_on_push boolean not null default true,
  add column disable_overriding_approvers_per_merge_request boolean not null default false,
  add column merge_requests_author_approval boolean not null default false,
  add column merge_requests_disable_committers_approval boolean not null default false,
  add column require_password_to_approve boolean not null default false;

-- Texts about merge requests and epics, as about issues; on diffs they have a position and can be resolved.
alter table notes drop constraint notes_one_noteable;
alter table notes
  add column merge_request_id bigint references merge_requests on delete cascade,
  add column epic_id bigint references epics on delete cascade,
  add column named_merge_request_id bigint references merge_requests on delete cascade,
  add column named_epic_id bigint references epics on delete cascade,
  -- Where in a diff it was said, as it is now and as it was then: {base_sha, start_sha, head_sha, position_type, old_path, new_path,
  -- old_line, new_line, line_range} or those of an image.
  add column position jsonb,
  add column original_position jsonb,
  -- The commit that it is about, within a merge request.
  add column commit_id text,
  add column resolvable boolean not null default false,
  add column resolved_at timestamptz,
  add column resolved_by_id bigint references users on delete set null,
  add constraint notes_one_noteable check (num_nonnulls(issue_id, merge_request_id, epic_id) = 1),
  add constraint notes_resolved check (resolved_at is null or resolvable);
create index notes_merge_request on notes (merge_request_id, created_at, id) where merge_request_id is not null;
create index notes_epic on notes (epic_id, created_at, id) where epic_id is not null;
create index notes_named_merge_request on notes (named_merge_request_id) where named_merge_request_id is not null;
create index notes_named_epic on notes (named_epic_id) where named_epic_id is not null;
create index notes_resolved_by on notes (resolved_by_id) where resolved_by_id is not null;
create index notes_unresolved on notes (merge_request_id, discussion_id) where resolvable and resolved_at is null;
drop index notes_mention_key;
drop index notes_mention_by_commit_key;
create unique index notes_mention_key
  on notes (coalesce(issue_id, 0), coalesce(merge_request_id, 0), coalesce(epic_id, 0),
            coalesce(named_issue_id, 0), coalesce(named_merge_request_id, 0), coalesce(named_epic_id, 0))
  where action = 'mention' and num_nonnulls(named_issue_id, named_merge_request_id, named_epic_id) = 1;
create unique index notes_mention_by_commit_key
  on notes (coalesce(issue_id, 0), coalesce(merge_request_id, 0), coalesce(epic_id, 0), named_commit)
  where action = 'mention' and named_commit is not null;

-- Changes that a note on a diff offers.
create table suggestions (
  id bigint generated always as identity primary key,
  note_id bigint not null references notes on delete cascade,
  -- Among the suggestions of one note, from 0.
  position integer not null,
  -- Lines before and after the one that the note is on that it replaces as well.
  lines_above integer not null default 0 check (lines_above >= 0),
  lines_below integer not null default 0 check (lines_below >= 0),
  from_content text not null,
  to_content text not null,
  applied boolean not null default false,
  -- The commit that applied it.
  commit_id text,
  constraint suggestions_position_key unique (note_id, position)
);

-- Notes of a review that nobody but their author sees until they are published.
create table draft_notes (
  id bigint generated always as identity primary key,
  merge_request_id bigint not null references merge_requests on delete cascade,
  author_id bigint not null references users on delete cascade,
  note text not null,
  discussion_id text,
  resolve_discussion boolean not null default false,
  commit_id text,
  position jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index draft_notes_merge_request on draft_notes (merge_request_id, author_id, id);
create index draft_notes_author on draft_notes (author_id);

alter table user_mentions drop constraint user_mentions_one_thing;
alter table user_mentions
  add column merge_request_id bigint references merge_requests on delete cascade,
  add column epic_id bigint references epics on delete cascade,
  add constraint user_mentions_one_thing check (num_nonnulls(issue_id, merge_request_id, epic_id) = 1);
create unique index user_mentions_merge_request_key on user_mentions (merge_request_id, coalesce(note_id, 0), user_id)
  where merge_request_id is not null;
create unique index user_mentions_epic_key on user_mentions (epic_id, coalesce(note_id, 0), user_id) where epic_id is not null;

alter table award_emoji drop constraint award_emoji_one_awardable;
alter table award_emoji
  add column merge_request_id bigint references merge_requests on delete cascade,
  add column epic_id bigint references epics on delete cascade,
  add constraint award_emoji_one_awardable check (num_nonnulls(issue_id, merge_request_id, epic_id, note_id) = 1),
  add constraint award_emoji_merge_request_key unique (merge_request_id, user_id, name),
  add constraint award_emoji_epic_key unique (epic_id, user_id, name);
create index award_emoji_user_merge_request on award_emoji (user_id, name, merge_request_id) where merge_request_id is not null;
create index award_emoji_user_epic on award_emoji (user_id, name, epic_id) where epic_id is not null;

alter table todos drop constraint todos_one_target;
alter table todos alter column project_id drop not null;
alter table todos
  -- Of epics; everything else is in a project.
  add column namespace_id bigint references namespaces on delete cascade,
  add column merge_request_id bigint references merge_requests on delete cascade,
  add column epic_id bigint references epics on delete cascade,
  add constraint todos_one_target check (num_nonnulls(issue_id, merge_request_id, epic_id) = 1),
  add constraint todos_one_place check (num_nonnulls(project_id, namespace_id) = 1);
create index todos_namespace on todos (namespace_id) where namespace_id is not null;
create index todos_merge_request on todos (merge_request_id) where merge_request_id is not null;
create index todos_epic on todos (epic_id) where epic_id is not null;
create unique index todos_pending_merge_request_key on todos (merge_request_id, user_id)
  where state = 'pending' and merge_request_id is not null;
create unique index todos_pending_epic_key on todos (epic_id, user_id) where state = 'pending' and epic_id is not null;

alter table resource_events drop constraint resource_events_one_thing;
alter table resource_events drop constraint resource_events_state_check;
alter table resource_events
  add column merge_request_id bigint references merge_requests on delete cascade,
  add column epic_id bigint references epics on delete cascade,
  add constraint resource_events_one_thing check (num_nonnulls(issue_id, merge_request_id, epic_id) = 1),
  add constraint resource_events_state_check check (state in ('opened', 'closed', 'reopened', 'merged', 'locked'));
create index resource_events_merge_request on resource_events (merge_request_id, kind, id) where merge_request_id is not null;
create index resource_events_epic on resource_events (epic_id, kind, id) where epic_id is not null;

alter table timelogs drop constraint timelogs_one_noteable;
alter table timelogs
  add column merge_request_id bigint references merge_requests on delete cascade,
  add constraint timelogs_one_noteable check (num_nonnulls(issue_id, merge_request_id) = 1);
create index timelogs_merge_request on timelogs (merge_request_id) where merge_request_id is not null;

alter table subscriptions drop constraint subscriptions_one_thing;
alter table subscriptions
  add column merge_request_id bigint references merge_requests on delete cascade,
  add column epic_id bigint references epics on delete cascade,
  add constraint subscriptions_one_thing check (num_nonnulls(issue_id, label_id, merge_request_id, epic_id) = 1),
  add constraint subscriptions_merge_request_key unique (merge_request_id, user_id),
  add constraint subscriptions_epic_key unique (epic_id, user_id);

-- Of epics: what is shown and kept by those who write the rows that are counted.
alter table epics add column user_notes_count integer not null default 0;
