-- Boards: lists of issues, side by side. What a board shows beside its lists, the issues of none and the closed ones, has no rows.

create table boards (
  id bigint generated always as identity primary key,
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  name text not null,
  hide_backlog_list boolean not null default false,
  hide_closed_list boolean not null default false,
  -- What the board is narrowed to, besides `board_labels`.
  milestone_id bigint references milestones on delete set null,
  assignee_id bigint references users on delete set null,
  weight integer check (weight >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(project_id, namespace_id) = 1)
);
create index boards_project on boards (project_id, id);
create index boards_group on boards (namespace_id, id);
create index boards_milestone on boards (milestone_id);
create index boards_assignee on boards (assignee_id);

create table board_labels (
  board_id bigint not null references boards on delete cascade,
  label_id bigint not null references labels on delete cascade,
  primary key (board_id, label_id)
);
create index board_labels_label on board_labels (label_id);

-- A list shows the issues that have one label, assignee, milestone or iteration.
create table board_lists (
  id bigint generated always as identity primary key,
  board_id bigint not null references boards on delete cascade,
  label_id bigint references labels on delete cascade,
  assignee_id bigint references users on delete cascade,
  milestone_id bigint references milestones on delete cascade,
  iteration_id bigint references iterations on delete cascade,
  -- From 0, from left to right.
  position integer not null check (position >= 0),
  max_issue_count integer not null default 0 check (max_issue_count >= 0),
  max_issue_weight integer not null default 0 check (max_issue_weight >= 0),
  limit_metric text check (limit_metric in ('all_metrics', 'issue_count', 'issue_weights')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(label_id, assignee_id, milestone_id, iteration_id) = 1),
  constraint board_lists_label_key unique (board_id, label_id),
  constraint board_lists_assignee_key unique (board_id, assignee_id),
  constraint board_lists_milestone_key unique (board_id, milestone_id),
  constraint board_lists_iteration_key unique (board_id, iteration_id)
);
create index board_lists_position on board_lists (board_id, position, id);
create index board_lists_label on board_lists (label_id);
create index board_lists_assignee on board_lists (assignee_id);
create index board_lists_milestone on board_lists (milestone_id);
create index board_lists_iteration on board_lists (iteration_id);
