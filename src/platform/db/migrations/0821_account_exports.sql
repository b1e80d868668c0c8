-- Archives of what is known of a person (src/integrations/account_exports).
create table account_exports (
  user_id bigint primary key references users on delete cascade,
  state text not null check (state in ('queued', 'started', 'finished', 'failed')),
  -- Changes with each request: a task that was queued for another one does nothing.
  request_key text not null,
  error text,
  object_id bigint references stored_objects,
  filename text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index account_exports_object on account_exports (object_id);
