-- Protected tags: names, or patterns of them, that only some may create (protected tags API).
create table protected_tags (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- A tag name, or a pattern with `*`.
  name text not null,
  created_at timestamptz not null default now(),
  unique (project_id, name)
);

-- Who may create such a tag; access_level 0 is no one.
create table protected_tag_access_levels (
  id bigint generated always as identity primary key,
  protected_tag_id bigint not null references protected_tags on delete cascade,
  access_level integer not null default 40 check (access_level in (0, 30, 40, 60)),
  user_id bigint references users on delete cascade,
  group_id bigint references namespaces on delete cascade,
  check (num_nonnulls(user_id, group_id) <= 1)
);
create index protected_tag_access_levels_tag on protected_tag_access_levels (protected_tag_id);
create index protected_tag_access_levels_user on protected_tag_access_levels (user_id);
create index protected_tag_access_levels_group on protected_tag_access_levels (group_id);
