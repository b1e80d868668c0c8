-- Settings of integrations: of a project, of a group for all projects below it, or (neither) of the instance for all projects
-- (src/spaces/integration_settings). The settings of the nearest place count.
create table integrations (
  id bigint generated always as identity primary key,
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  slug text not null,
  active boolean not null default true,
  -- What may be shown, by the name of the setting. Addresses have stars in the place of credentials.
  properties jsonb not null default '{}' check (jsonb_typeof(properties) = 'object'),
  -- Encrypted JSON: secrets, and the addresses that have credentials.
  secrets text,
  -- The switches that are on, `push_events` and the like.
  switches text[] not null default '{}',
  comment_on_event_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (project_id is null or namespace_id is null)
);
create unique index integrations_place on integrations (coalesce(project_id, 0), coalesce(namespace_id, 0), slug);
create index integrations_project on integrations (project_id, slug);
create index integrations_namespace on integrations (namespace_id, slug);
create index integrations_instance on integrations (slug) where project_id is null and namespace_id is null;
