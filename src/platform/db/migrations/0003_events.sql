-- What has happened (the outbox), and what is about to happen to git references.

-- Written in the transaction of the change itself; the worker hands each event to those who listen.
create table events (
  id bigint generated always as identity primary key,
  kind text not null,
  payload jsonb not null,
  actor_id bigint references users on delete set null,
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  created_at timestamptz not null default now()
);
create index events_project on events (project_id, id desc);
create index events_actor on events (actor_id, id desc);
create index events_namespace on events (namespace_id);

-- An intended move of references, committed before git moves them and ticked off with what follows from it
-- (house rule: git and the database agree after any crash).
create table reference_intents (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  actor_id bigint references users on delete set null,
  -- [{ref, old, new}]
  moves jsonb not null,
  created_at timestamptz not null default now()
);
create index reference_intents_created_at on reference_intents (created_at);
create index reference_intents_project on reference_intents (project_id);
create index reference_intents_actor on reference_intents (actor_id);
