-- Webhooks of projects, groups and the instance, and what was sent to them.

create table hooks (
  id bigint generated always as identity primary key,
  -- Neither: a system hook, of the whole instance.
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  url text not null,
  -- Encrypted: it is sent as it was given.
  token text,
  -- The switches that are on, `push_events` and the like.
  switches text[] not null,
  push_events_branch_filter text,
  enable_ssl_verification boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (project_id is null or namespace_id is null)
);
create index hooks_project on hooks (project_id, id);
create index hooks_namespace on hooks (namespace_id, id);
create index hooks_system on hooks (id) where project_id is null and namespace_id is null;

-- What was, or is about to be, sent to a hook. Old rows are swept by the clock.
create table hook_deliveries (
  id bigint generated always as identity primary key,
  hook_id bigint not null references hooks on delete cascade,
  -- Not a reference: events may be swept first. Null where somebody tries a hook.
  event_id bigint,
  -- Which of the event's messages: a push tells of each branch.
  part integer not null default 0,
  uuid uuid not null default gen_random_uuid(),
  trigger text not null,
  -- JSON as it is sent; jsonb could not hold every text that a commit can.
  request_data text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- Of the last attempt.
  response_status integer,
  response_headers jsonb not null default '{}',
  response_body text not null default '',
  error text,
  -- In seconds.
  duration double precision,
  created_at timestamptz not null default now(),
  -- Whoever hands over an event a second time after a crash sends nothing twice.
  unique (hook_id, event_id, part)
);
create index hook_deliveries_hook on hook_deliveries (hook_id, id desc);
create index hook_deliveries_created_at on hook_deliveries (created_at);
