-- Exports of projects as archives, and imports of such archives.

create table project_exports (
  id bigint generated always as identity primary key,
  project_id bigint not null unique references projects on delete cascade,
  -- Who asked for the export that is being made, or was made last.
  user_id bigint references users on delete set null,
  state text not null check (state in ('queued', 'started', 'finished', 'failed')),
  -- Changes with each request: a task that was queued for another one does nothing.
  request_key text not null,
  -- Takes the place of the project's own in the archive.
  description text,
  -- Where the archive is sent to when it is made, encrypted.
  upload_address text,
  upload_method text check (upload_method in ('PUT', 'POST')),
  error text,
  -- The archive that was made last: it can be downloaded while the next one is made.
  object_id bigint references stored_objects,
  filename text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index project_exports_user on project_exports (user_id);
create index project_exports_object on project_exports (object_id);

create table project_imports (
  id bigint generated always as identity primary key,
  project_id bigint not null unique references projects on delete cascade,
  user_id bigint references users on delete set null,
  -- The archive, until the import has ended.
  object_id bigint references stored_objects,
  -- Where the archive is fetched from, encrypted; null for one that was sent.
  address text,
  -- Attributes of the project that win over those in the archive.
  override_params jsonb not null default '{}',
  correlation_id text not null,
  -- The project that the imported one takes the place of, with the path and name that it then has.
  replaces_id bigint references projects on delete set null,
  final_path text not null,
  final_name text not null,
  created_at timestamptz not null default now()
);
create index project_imports_user on project_imports (user_id);
create index project_imports_object on project_imports (object_id);
create index project_imports_replaces on project_imports (replaces_id);

-- What of an archive could not be imported, and why.
create table import_failures (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  relation_name text not null,
  source text not null,
  exception_class text not null,
  exception_message text not null,
  created_at timestamptz not null default now()
);
create index import_failures_project on import_failures (project_id, id);
