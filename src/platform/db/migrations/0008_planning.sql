-- Planning: labels, milestones, iterations and issues with what hangs on them.

-- The last number given per place and kind of thing. Taken in the transaction that inserts the thing, so that numbers
-- have no gaps and none is given twice.
create table iid_counters (
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  noun text not null check (noun in ('issue', 'milestone', 'iteration', 'epic', 'merge_request')),
  value bigint not null,
  check (num_nonnulls(project_id, namespace_id) = 1),
  unique (project_id, noun),
  unique (namespace_id, noun)
);

create table labels (
  id bigint generated always as identity primary key,
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  name text not null,
  -- `#rrggbb`
  color text not null,
  description text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(project_id, namespace_id) = 1),
  constraint labels_project_name_key unique (project_id, name),
  constraint labels_group_name_key unique (namespace_id, name)
);
create index labels_name on labels (name, id);
create index labels_name_lower on labels (lower(name));

-- How urgent a label is in one project, 0 first. A group's label has a priority of its own in each project.
create table label_priorities (
  label_id bigint not null references labels on delete cascade,
  project_id bigint not null references projects on delete cascade,
  priority integer not null check (priority >= 0),
  primary key (label_id, project_id)
);
create index label_priorities_project on label_priorities (project_id, priority);

create table milestones (
  id bigint generated always as identity primary key,
  iid bigint not null,
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  title text not null,
  description text,
  state text not null default 'active' check (state in ('active', 'closed')),
  start_date date,
  due_date date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(project_id, namespace_id) = 1),
  constraint milestones_project_iid_key unique (project_id, iid),
  constraint milestones_group_iid_key unique (namespace_id, iid),
  constraint milestones_project_title_key unique (project_id, title),
  constraint milestones_group_title_key unique (namespace_id, title)
);
create index milestones_title on milestones (title);
create index milestones_due_date on milestones (due_date, id);

create table iterations (
  id bigint generated always as identity primary key,
  iid bigint not null,
  namespace_id bigint not null references namespaces on delete cascade,
  title text not null,
  description text,
  state text not null default 'upcoming' check (state in ('upcoming', 'current', 'closed')),
  start_date date not null,
  due_date date not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (start_date <= due_date),
  constraint iterations_iid_key unique (namespace_id, iid),
  constraint iterations_title_key unique (namespace_id, title)
);
create index iterations_title on iterations (title);

create table issues (
  id bigint generated always as identity primary key,
  iid bigint not null,
  project_id bigint not null references projects on delete cascade,
  author_id bigint not null references users,
  title text not null,
  description text,
  state text not null default 'opened' check (state in ('opened', 'closed')),
  issue_type text not null default 'issue' check (issue_type in ('issue', 'incident', 'test_case')),
  confidential boolean not null default false,
  discussion_locked boolean,
  due_date date,
  weight integer check (weight >= 0),
  health_status text check (health_status in ('on_track', 'needs_attention', 'at_risk')),
  milestone_id bigint references milestones on delete set null,
  iteration_id bigint references iterations on delete set null,
  -- The table of epics comes later, and the reference with it.
  epic_id bigint,
  -- Where the issue stands in an order made by hand, across projects. There is always a place between two numerics.
  relative_position numeric not null,
  closed_at timestamptz,
  closed_by_id bigint references users on delete set null,
  moved_to_id bigint references issues on delete set null,
  duplicated_to_id bigint references issues on delete set null,
  -- Seconds; spent time is the sum of `timelogs`.
  time_estimate integer not null default 0 check (time_estimate >= 0),
  total_time_spent integer not null default 0 check (total_time_spent >= 0),
  -- What lists show and order by, kept by those who write the rows that are counted.
  upvotes integer not null default 0,
  downvotes integer not null default 0,
  user_notes_count integer not null default 0,
  merge_requests_count integer not null default 0,
  -- Of the task list in the description.
  tasks_count integer not null default 0,
  tasks_completed_count integer not null default 0,
  last_edited_at timestamptz,
  last_edited_by_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint issues_iid_key unique (project_id, iid),
  check ((state = 'closed') = (closed_at is not null))
);
-- Where a new issue stands unless it is put elsewhere: behind all others.
create sequence issue_positions increment by 1024 owned by issues.relative_position;
alter table issues alter column relative_position set default nextval('issue_positions');

-- The lists: of one project, of several, of all; each order has its index, with the id for a stable order.
create index issues_project_created_at on issues (project_id, created_at, id);
create index issues_project_updated_at on issues (project_id, updated_at, id);
create index issues_project_due_date on issues (project_id, due_date, id);
create index issues_project_position on issues (project_id, relative_position, id);
create index issues_project_weight on issues (project_id, weight, id);
create index issues_project_upvotes on issues (project_id, upvotes, id);
create index issues_created_at on issues (created_at, id);
create index issues_updated_at on issues (updated_at, id);
create index issues_due_date on issues (due_date, id);
create index issues_position on issues (relative_position, id);
create index issues_weight on issues (weight, id);
create index issues_upvotes on issues (upvotes, id);
-- Totals for the headers are counted in this index alone.
create index issues_visible on issues (project_id, state) include (confidential, author_id, id);
create index issues_confidential on issues (project_id, id) where confidential;
create index issues_author on issues (author_id, created_at, id);
create index issues_milestone on issues (milestone_id, id);
create index issues_iteration on issues (iteration_id, id);
create index issues_epic on issues (epic_id, id);
create index issues_closed_by on issues (closed_by_id);
create index issues_moved_to on issues (moved_to_id);
create index issues_duplicated_to on issues (duplicated_to_id);
create index issues_last_edited_by on issues (last_edited_by_id);
create index issues_title_trgm on issues using gin (title gin_trgm_ops);
create index issues_description_trgm on issues using gin (description gin_trgm_ops);

create table issue_labels (
  issue_id bigint not null references issues on delete cascade,
  label_id bigint not null references labels on delete cascade,
  primary key (issue_id, label_id)
);
create index issue_labels_label on issue_labels (label_id, issue_id);

create table issue_assignees (
  issue_id bigint not null references issues on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (issue_id, user_id)
);
create index issue_assignees_user on issue_assignees (user_id, issue_id);

-- `source` blocks `target`, or they relate to each other; one link between two issues, whichever way.
create table issue_links (
  id bigint generated always as identity primary key,
  source_id bigint not null references issues on delete cascade,
  target_id bigint not null references issues on delete cascade,
  link_type text not null default 'relates_to' check (link_type in ('relates_to', 'blocks')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (source_id <> target_id)
);
create unique index issue_links_pair_key on issue_links (least(source_id, target_id), greatest(source_id, target_id));
create index issue_links_source on issue_links (source_id);
create index issue_links_target on issue_links (target_id);

-- Time spent, in seconds; negative where time was taken back.
create table timelogs (
  id bigint generated always as identity primary key,
  issue_id bigint references issues on delete cascade,
  user_id bigint references users on delete set null,
  time_spent integer not null,
  spent_at timestamptz not null,
  summary text,
  created_at timestamptz not null default now(),
  constraint timelogs_one_noteable check (num_nonnulls(issue_id) = 1)
);
create index timelogs_issue on timelogs (issue_id);
create index timelogs_user on timelogs (user_id);

-- What a user has chosen to hear of, or not to; without a row it follows from taking part.
create table subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  issue_id bigint references issues on delete cascade,
  label_id bigint references labels on delete cascade,
  subscribed boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint subscriptions_one_thing check (num_nonnulls(issue_id, label_id) = 1),
  constraint subscriptions_issue_key unique (issue_id, user_id),
  constraint subscriptions_label_key unique (label_id, user_id)
);
create index subscriptions_user on subscriptions (user_id);

create table award_emoji (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- Without colons: `thumbsup`.
  name text not null,
  issue_id bigint references issues on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint award_emoji_one_awardable check (num_nonnulls(issue_id) = 1),
  constraint award_emoji_issue_key unique (issue_id, user_id, name)
);
create index award_emoji_user on award_emoji (user_id, name, issue_id);

-- What the request that made an issue said of its sender; for administrators who look for abuse.
create table issue_user_agents (
  issue_id bigint primary key references issues on delete cascade,
  user_agent text not null,
  ip_address text not null
);
