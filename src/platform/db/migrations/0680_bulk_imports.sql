-- Migrations of groups and projects from a live server of this API.

create table bulk_imports (
  id bigint generated always as identity primary key,
  -- Who asked for it: all is done in this account's name, with the rights that it has then.
  user_id bigint not null references users on delete cascade,
  status text not null default 'created' check (status in ('created', 'started', 'finished', 'failed')),
  -- The other server, without credentials.
  url text not null,
  -- The token for it, encrypted; gone when the migration has ended.
  access_token text,
  correlation_id text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index bulk_imports_user on bulk_imports (user_id, id);

-- The groups and projects of a migration: those asked for, and those found below them.
create table bulk_import_entities (
  id bigint generated always as identity primary key,
  bulk_import_id bigint not null references bulk_imports on delete cascade,
  parent_id bigint references bulk_import_entities on delete cascade,
  source_type text not null check (source_type in ('group_entity', 'project_entity')),
  source_full_path text not null,
  destination_name text not null,
  destination_slug text not null,
  -- Empty for the top.
  destination_namespace text not null,
  status text not null default 'created' check (status in ('created', 'started', 'finished', 'failed')),
  -- What is done next, and since when. A process that ends begins this step again.
  step text not null default 'begin'
    check (step in ('begin', 'labels', 'milestones', 'members', 'children', 'export', 'import', 'rest', 'done')),
  step_since timestamptz not null default now(),
  -- Failed attempts at this step to reach the other server.
  attempts integer not null default 0,
  namespace_id bigint references namespaces on delete set null,
  project_id bigint references projects on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- What is found again after a crash is there once.
create unique index bulk_import_entities_source
  on bulk_import_entities (bulk_import_id, coalesce(parent_id, 0), source_type, lower(source_full_path), lower(destination_namespace), lower(destination_slug));
create index bulk_import_entities_parent on bulk_import_entities (parent_id);
create index bulk_import_entities_namespace on bulk_import_entities (namespace_id);
create index bulk_import_entities_project on bulk_import_entities (project_id);

-- What could not come, and why.
create table bulk_import_failures (
  id bigint generated always as identity primary key,
  entity_id bigint not null references bulk_import_entities on delete cascade,
  relation text not null,
  step text not null,
  exception_class text not null,
  exception_message text not null,
  created_at timestamptz not null default now()
);
create index bulk_import_failures_entity on bulk_import_failures (entity_id, id);
