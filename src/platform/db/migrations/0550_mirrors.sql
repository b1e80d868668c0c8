-- Mirrors: repositories elsewhere that a project pushes to, and how the one goes that it pulls from.

create table remote_mirrors (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- Without credentials.
  url text not null,
  -- The whole address, encrypted.
  address text not null,
  enabled boolean not null default false,
  only_protected_branches boolean not null default false,
  keep_divergent_refs boolean not null default false,
  update_status text not null default 'none' check (update_status in ('none', 'started', 'finished', 'to_retry', 'failed')),
  last_update_started_at timestamptz,
  last_update_at timestamptz,
  last_successful_update_at timestamptz,
  last_error text,
  -- Failures since the last success.
  failures integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index remote_mirrors_project on remote_mirrors (project_id, id);

create table pull_mirrors (
  id bigint generated always as identity primary key,
  project_id bigint not null unique references projects on delete cascade,
  update_status text not null default 'none' check (update_status in ('none', 'started', 'finished', 'to_retry', 'failed')),
  last_update_started_at timestamptz,
  last_update_at timestamptz,
  last_successful_update_at timestamptz,
  last_error text,
  failures integer not null default 0,
  -- Null: not by itself, until it is asked for.
  next_update_at timestamptz
);
create index pull_mirrors_due on pull_mirrors (next_update_at) where next_update_at is not null;

-- Settings from before are kept; such a project pulls once it is asked to.
insert into pull_mirrors (project_id) select id from projects where mirror;
