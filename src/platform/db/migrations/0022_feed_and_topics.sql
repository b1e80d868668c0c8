-- What people have done, for those who may see it, and the topics of projects.

-- Beside `events`: a feed is kept for good and read by people, while the outbox is the server's own and may be emptied;
-- its author is who joined or pushed, not who recorded it; and it has columns for what lists are narrowed by.
create table feed_entries (
  id bigint generated always as identity primary key,
  author_id bigint not null references users on delete cascade,
  project_id bigint not null references projects on delete cascade,
  action text not null check (action in ('created', 'updated', 'closed', 'reopened', 'pushed', 'commented', 'merged', 'joined', 'left',
                                         'destroyed', 'expired', 'approved')),
  -- What it was done to; null for pushes, which have `push_data`.
  target_type text check (target_type in ('issue', 'milestone', 'merge_request', 'note', 'project', 'snippet')),
  target_id bigint,
  push_data jsonb,
  created_at timestamptz not null default now(),
  check ((push_data is null) = (target_type is not null)),
  check ((target_type is null) = (target_id is null))
);
create index feed_entries_author on feed_entries (author_id, created_at desc, id desc);
create index feed_entries_project on feed_entries (project_id, created_at desc, id desc);
-- Most entries are pushes, and would have to be passed over.
create index feed_entries_author_target on feed_entries (author_id, target_type, created_at desc, id desc) where target_type is not null;
create index feed_entries_project_target on feed_entries (project_id, target_type, created_at desc, id desc) where target_type is not null;

create table topics (
  id bigint generated always as identity primary key,
  -- As projects spell it in `projects.topics`.
  name text not null unique,
  title text,
  description text,
  total_projects_count integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index topics_count on topics (total_projects_count desc, id);
create index topics_name_trgm on topics using gin (name gin_trgm_ops);
create index topics_title_trgm on topics using gin (title gin_trgm_ops);

-- Keeps the counts, and makes topics that are named for the first time, whoever writes projects and by whatever cascade
-- they go. In the order of the names, so that two transactions never wait for each other.
create function count_topics() returns trigger language plpgsql as $$
declare
  gone text[] := case when tg_op = 'INSERT' then '{}' else old.topics end;
  come text[] := case when tg_op = 'DELETE' then '{}' else new.topics end;
begin
  insert into topics as known (name, total_projects_count)
  select name, sum(change) from (
    select unnest(come) as name, 1 as change union all select unnest(gone), -1
  ) as changes group by name having sum(change) <> 0 order by name
  on conflict (name) do update set total_projects_count = known.total_projects_count + excluded.total_projects_count;
  return null;
end $$;
create trigger projects_count_topics_of_new after insert on projects for each row when (new.topics <> '{}') execute function count_topics();
create trigger projects_count_topics after update of topics on projects
  for each row when (old.topics is distinct from new.topics) execute function count_topics();
create trigger projects_count_topics_of_old after delete on projects for each row when (old.topics <> '{}') execute function count_topics();

insert into topics (name, total_projects_count)
select topic, count(*) from projects, unnest(projects.topics) as topic group by topic order by topic;
