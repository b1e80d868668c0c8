-- Values that administrators keep on users, groups and projects, and people who ask to become members.

create table custom_attributes (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  project_id bigint references projects on delete cascade,
  key text not null,
  value text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(user_id, namespace_id, project_id) = 1),
  unique (user_id, key),
  unique (namespace_id, key),
  unique (project_id, key)
);
-- Values may be long: lists look for the digest of one.
create index custom_attributes_value on custom_attributes (key, md5(value));

create table access_requests (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  project_id bigint references projects on delete cascade,
  created_at timestamptz not null default now(),
  check (num_nonnulls(namespace_id, project_id) = 1),
  unique (namespace_id, user_id),
  unique (project_id, user_id)
);
create index access_requests_user on access_requests (user_id);
