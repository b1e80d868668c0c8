-- Fetches and clones of a project's repository over HTTP, by day.
create table project_fetches (
  project_id bigint not null references projects (id) on delete cascade,
  day date not null,
  count bigint not null check (count > 0),
  primary key (project_id, day)
);
create index project_fetches_day on project_fetches (day);
