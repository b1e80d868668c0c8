-- What has changed about things, one fact a row, for those who count or chart it.
create table resource_events (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('state', 'label', 'milestone', 'iteration', 'weight')),
  issue_id bigint references issues on delete cascade,
  user_id bigint references users on delete set null,
  -- Of labels, milestones and iterations.
  action text check (action in ('add', 'remove')),
  label_id bigint references labels on delete set null,
  milestone_id bigint references milestones on delete set null,
  iteration_id bigint references iterations on delete set null,
  -- Of states what the thing became; of milestones what it was then.
  state text check (state in ('opened', 'closed', 'reopened')),
  -- Null where a weight was taken away.
  weight integer,
  created_at timestamptz not null default now(),
  constraint resource_events_one_thing check (num_nonnulls(issue_id) = 1),
  check ((action is not null) = (kind in ('label', 'milestone', 'iteration'))),
  check (kind <> 'state' or state is not null)
);
create index resource_events_issue on resource_events (issue_id, kind, id);
create index resource_events_user on resource_events (user_id);
create index resource_events_label on resource_events (label_id);
create index resource_events_milestone on resource_events (milestone_id);
create index resource_events_iteration on resource_events (iteration_id);
