-- What jobs are given: variables of the instance, of groups and of projects.

create table ci_variables (
  id bigint generated always as identity primary key,
  -- Neither for a variable of the instance.
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  key text not null,
  -- Encrypted with the instance's key.
  value text not null,
  variable_type text not null default 'env_var' check (variable_type in ('env_var', 'file')),
  protected boolean not null default false,
  masked boolean not null default false,
  -- What looks like another variable in the value stays as it is.
  raw boolean not null default false,
  -- The environments that it is for; `*` stands for any text.
  environment_scope text not null default '*',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(project_id, namespace_id) <= 1)
);
create unique index ci_variables_project_key on ci_variables (project_id, key, environment_scope) where project_id is not null;
create unique index ci_variables_namespace_key on ci_variables (namespace_id, key, environment_scope) where namespace_id is not null;
create unique index ci_variables_instance_key on ci_variables (key) where project_id is null and namespace_id is null;
create index ci_variables_project on ci_variables (project_id, id);
create index ci_variables_namespace on ci_variables (namespace_id, id);

-- How much of something there may be, by plan. There is one plan.
create table plan_limits (
  plan_name text primary key check (plan_name in ('default')),
  -- 0: any number.
  ci_instance_level_variables integer not null default 25 check (ci_instance_level_variables >= 0)
);
insert into plan_limits (plan_name) values ('default');
