-- People who are not here yet and are invited, bots of groups beside those of projects, and badges.

create table invitations (
  id bigint generated always as identity primary key,
  namespace_id bigint references namespaces on delete cascade,
  project_id bigint references projects on delete cascade,
  email text not null,
  -- What the membership will be.
  access_level integer not null check (access_level in (10, 20, 30, 40, 50)),
  expires_at date,
  created_by_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(namespace_id, project_id) = 1)
);
create unique index invitations_namespace_key on invitations (namespace_id, lower(email));
create unique index invitations_project_key on invitations (project_id, lower(email));
create index invitations_email on invitations (lower(email));
create index invitations_created_by on invitations (created_by_id);

-- The group or project that a bot user's tokens belong to (project and group access tokens).
alter table project_bots rename to bots;
alter table bots rename constraint project_bots_pkey to bots_pkey;
alter index project_bots_project rename to bots_project;
alter table bots alter column project_id drop not null;
alter table bots add column namespace_id bigint references namespaces on delete cascade;
alter table bots add check (num_nonnulls(namespace_id, project_id) = 1);
create index bots_namespace on bots (namespace_id);

create table badges (
  id bigint generated always as identity primary key,
  namespace_id bigint references namespaces on delete cascade,
  project_id bigint references projects on delete cascade,
  name text,
  link_url text not null,
  image_url text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(namespace_id, project_id) = 1)
);
create index badges_namespace on badges (namespace_id);
create index badges_project on badges (project_id);
