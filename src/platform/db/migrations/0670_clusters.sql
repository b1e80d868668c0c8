-- Clusters that are connected by a certificate: of a project, of a group for all projects below it, or (neither) of the instance for all
-- projects. What is known of them is kept and given to jobs; the server does not speak to them.
create table clusters (
  id bigint generated always as identity primary key,
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  name text not null,
  domain text,
  enabled boolean not null default true,
  managed boolean not null default true,
  namespace_per_environment boolean not null default true,
  -- The name of an environment, in which `*` stands for any text.
  environment_scope text not null default '*',
  -- The project whose jobs may do anything in the cluster.
  management_project_id bigint references projects on delete set null,
  -- Null once the account is gone.
  user_id bigint references users on delete set null,
  api_url text not null,
  -- Encrypted. Null where the address has changed since it was given.
  token text,
  ca_cert text,
  namespace text,
  authorization_type text check (authorization_type in ('rbac', 'abac')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (project_id is null or namespace_id is null)
);
create unique index clusters_place on clusters (coalesce(project_id, 0), coalesce(namespace_id, 0), environment_scope);
create unique index clusters_management on clusters (management_project_id, environment_scope);
create index clusters_project on clusters (project_id, id);
create index clusters_namespace on clusters (namespace_id, id);
create index clusters_instance on clusters (id) where project_id is null and namespace_id is null;
create index clusters_user on clusters (user_id);
