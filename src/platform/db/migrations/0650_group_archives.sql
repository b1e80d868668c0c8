-- Exports of groups as archives, and imports of such archives.

create table group_exports (
  id bigint generated always as identity primary key,
  namespace_id bigint not null unique references namespaces on delete cascade,
  -- Who asked for the export that is being made, or was made last.
  user_id bigint references users on delete set null,
  state text not null check (state in ('queued', 'started', 'finished', 'failed')),
  -- Changes with each request: a task that was queued for another one does nothing.
  request_key text not null,
  error text,
  -- The archive that was made last: it can be downloaded while the next one is made.
  object_id bigint references stored_objects,
  filename text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index group_exports_user on group_exports (user_id);
create index group_exports_object on group_exports (object_id);

create table group_imports (
  id bigint generated always as identity primary key,
  namespace_id bigint not null unique references namespaces on delete cascade,
  user_id bigint references users on delete set null,
  state text not null check (state in ('created', 'started', 'finished', 'failed')),
  -- The archive, until the import has ended.
  object_id bigint references stored_objects,
  error text,
  -- What of the archive could not be imported: relation, source and message of each.
  failures jsonb not null default '[]',
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index group_imports_user on group_imports (user_id);
create index group_imports_object on group_imports (object_id);
