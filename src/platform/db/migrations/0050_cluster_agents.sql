-- Agents of clusters, which jobs may speak to; what they allow is in the repository of their project.

create table cluster_agents (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  -- Null once the account is gone.
  created_by_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint cluster_agents_name_key unique (project_id, name)
);
create index cluster_agents_created_by on cluster_agents (created_by_id);
