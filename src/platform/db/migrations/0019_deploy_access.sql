-- Keys and tokens of machines: they open git's transport, and nothing else.

-- Deploy keys are keys that belong to nobody: they stay in the table of keys, whose fingerprints are unique, so that a
-- key leads to one person or to one set of projects, whichever is added first.
alter table keys alter column user_id drop not null;
-- Who added a deploy key; what it pushes counts as theirs.
alter table keys add column creator_id bigint references users on delete set null;
-- A deploy key that every project may enable.
alter table keys add column public boolean not null default false;
alter table keys add constraint keys_of_people check (user_id is null or (creator_id is null and not public));
create index keys_creator on keys (creator_id);

-- The projects that a deploy key opens.
create table deploy_key_projects (
  key_id bigint not null references keys on delete cascade,
  project_id bigint not null references projects on delete cascade,
  can_push boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (project_id, key_id)
);
create index deploy_key_projects_key on deploy_key_projects (key_id);

-- Deploy tokens: of one project, or of all projects of a group.
create table deploy_tokens (
  id bigint generated always as identity primary key,
  project_id bigint references projects on delete cascade,
  group_id bigint references namespaces on delete cascade,
  name text not null,
  -- Goes with the token in Basic authentication.
  username text not null,
  digest text not null unique,
  scopes text[] not null,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  check (num_nonnulls(project_id, group_id) = 1)
);
create index deploy_tokens_project on deploy_tokens (project_id);
create index deploy_tokens_group on deploy_tokens (group_id);
