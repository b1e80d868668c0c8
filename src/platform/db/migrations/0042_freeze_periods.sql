-- Times at which nothing is deployed.

create table freeze_periods (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- Cron lines: when it begins, and when it ends.
  freeze_start text not null,
  freeze_end text not null,
  cron_timezone text not null default 'UTC',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index freeze_periods_project on freeze_periods (project_id, freeze_start, id);
