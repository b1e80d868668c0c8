-- Where a project is deployed to, and what was deployed there.

create table environments (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  slug text not null,
  external_url text,
  state text not null default 'available' check (state in ('available', 'stopped')),
  tier text not null check (tier in ('production', 'staging', 'testing', 'development', 'other')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint environments_name_key unique (project_id, name),
  constraint environments_slug_key unique (project_id, slug)
);
create index environments_project on environments (project_id, id);

alter table iid_counters drop constraint iid_counters_noun_check;
alter table iid_counters add constraint iid_counters_noun_check
  check (noun in ('issue', 'milestone', 'iteration', 'epic', 'merge_request', 'deployment'));

create table deployments (
  id bigint generated always as identity primary key,
  iid bigint not null,
  project_id bigint not null references projects on delete cascade,
  environment_id bigint not null references environments on delete cascade,
  -- Null once the account is gone.
  user_id bigint references users on delete set null,
  ref text not null,
  tag boolean not null default false,
  sha text not null,
  status text not null default 'created' check (status in ('created', 'running', 'success', 'failed', 'canceled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- When it succeeded, failed or was canceled.
  finished_at timestamptz,
  constraint deployments_iid_key unique (project_id, iid),
  check ((finished_at is not null) = (status in ('success', 'failed', 'canceled')))
);
create index deployments_project on deployments (project_id, id);
create index deployments_created_at on deployments (project_id, created_at, id);
create index deployments_updated_at on deployments (project_id, updated_at, id);
create index deployments_finished_at on deployments (project_id, finished_at, id);
create index deployments_ref on deployments (project_id, ref, id);
create index deployments_environment on deployments (environment_id, id);
create index deployments_succeeded on deployments (environment_id, id) where status = 'success';
create index deployments_user on deployments (user_id);

-- Merge requests that came with a deployment. Each comes to an environment once.
create table deployment_merge_requests (
  deployment_id bigint not null references deployments on delete cascade,
  merge_request_id bigint not null references merge_requests on delete cascade,
  environment_id bigint not null references environments on delete cascade,
  primary key (deployment_id, merge_request_id),
  constraint deployment_merge_requests_once unique (environment_id, merge_request_id)
);
create index deployment_merge_requests_merge_request on deployment_merge_requests (merge_request_id);
