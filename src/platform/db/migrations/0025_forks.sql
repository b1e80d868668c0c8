-- Forks: which project a project was copied from, for as long as that is known.
create table project_forks (
  project_id bigint primary key references projects on delete cascade,
  source_id bigint not null references projects on delete cascade,
  created_at timestamptz not null default now(),
  constraint project_forks_not_of_itself check (project_id <> source_id)
);
create index project_forks_source on project_forks (source_id, project_id);

-- However a fork goes, the number that every list shows goes with it.
create function count_project_forks() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update projects set forks_count = forks_count + 1 where id = new.source_id;
  else
    update projects set forks_count = forks_count - 1 where id = old.source_id;
  end if;
  return null;
end $$;
create trigger count_project_forks after insert or delete on project_forks for each row execute function count_project_forks();

-- Where a project is, or was, imported from: `import_url` holds no credentials, this does, encrypted.
alter table projects add column import_credentials text;
