-- Feature flags of projects. Those of the instance itself are the table `feature_flags`.

alter table iid_counters drop constraint iid_counters_noun_check;
alter table iid_counters add constraint iid_counters_noun_check
  check (noun in ('issue', 'milestone', 'iteration', 'epic', 'merge_request', 'deployment', 'pipeline', 'flag_user_list'));

-- Ids of users of an application, by a name.
create table flag_user_lists (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  iid bigint not null,
  name text not null,
  -- Separated by commas.
  user_xids text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, iid),
  unique (project_id, name)
);

create table project_flags (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  description text,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, name)
);

create table project_flag_strategies (
  id bigint generated always as identity primary key,
  flag_id bigint not null references project_flags on delete cascade,
  name text not null
    check (name in ('default', 'gradualRolloutUserId', 'userWithId', 'gitlabUserList', 'flexibleRollout')),
  parameters jsonb not null default '{}',
  -- Without an action: a list that a strategy names is not deleted, and both go with their project.
  user_list_id bigint references flag_user_lists deferrable initially deferred,
  check ((name = 'gitlabUserList') = (user_list_id is not null))
);
create index project_flag_strategies_flag on project_flag_strategies (flag_id, id);
create index project_flag_strategies_list on project_flag_strategies (user_list_id);

create table project_flag_scopes (
  id bigint generated always as identity primary key,
  strategy_id bigint not null references project_flag_strategies on delete cascade,
  -- The name of an environment, in which `*` stands for any text.
  environment_scope text not null,
  unique (strategy_id, environment_scope)
);

-- What applications of the project show to read its flags.
create table flag_clients (
  id bigint generated always as identity primary key,
  project_id bigint not null unique references projects on delete cascade,
  -- Encrypted.
  token text not null,
  created_at timestamptz not null default now()
);

-- Open pages follow the list. See 0271_live_rules.
create trigger announce_flag after insert or update or delete on project_flags
  for each row execute function announce_in_project('feature_flags');
