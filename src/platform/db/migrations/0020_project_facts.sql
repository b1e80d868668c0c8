-- What projects gather: stars, numbers about what they store, what their files are, the names they had and have besides.

create table project_stars (
  user_id bigint not null references users on delete cascade,
  project_id bigint not null references projects on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, project_id)
);
create index project_stars_project on project_stars (project_id, created_at, user_id);

-- However a star goes (its person deleted too), the number that every list shows goes with it.
create function count_project_stars() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update projects set star_count = star_count + 1 where id = new.project_id;
  else
    update projects set star_count = star_count - 1 where id = old.project_id;
  end if;
  return null;
end $$;
create trigger count_project_stars after insert or delete on project_stars for each row execute function count_project_stars();

-- Bytes, and commits of the default branch. Every project has a row from its beginning, so that lists can be ordered by it.
create table project_statistics (
  project_id bigint primary key references projects on delete cascade,
  commit_count bigint not null default 0,
  repository_size bigint not null default 0,
  wiki_size bigint not null default 0,
  lfs_objects_size bigint not null default 0,
  job_artifacts_size bigint not null default 0,
  packages_size bigint not null default 0,
  snippets_size bigint not null default 0,
  storage_size bigint not null
    generated always as (repository_size + wiki_size + lfs_objects_size + job_artifacts_size + packages_size + snippets_size) stored
);
create index project_statistics_storage_size on project_statistics (storage_size, project_id);
create index project_statistics_repository_size on project_statistics (repository_size, project_id);
create index project_statistics_packages_size on project_statistics (packages_size, project_id);
create index project_statistics_wiki_size on project_statistics (wiki_size, project_id);
insert into project_statistics (project_id) select id from projects;

create function begin_project_statistics() returns trigger language plpgsql as $$
begin
  insert into project_statistics (project_id) select id from new_projects;
  return null;
end $$;
create trigger begin_project_statistics after insert on projects
  referencing new table as new_projects for each statement execute function begin_project_statistics();

-- The share of each language in the files of the default branch, in percent.
create table project_languages (
  project_id bigint not null references projects on delete cascade,
  name text not null,
  share numeric(5, 2) not null check (share between 0 and 100),
  primary key (project_id, name)
);
create index project_languages_name on project_languages (lower(name), project_id);

alter table projects
  -- The licence at the top of the default branch, as of its last move: its file, and which of the known ones it is.
  add column license_path text,
  add column license_key text,
  -- The commit that project_languages are of.
  add column languages_commit text,
  -- Whether the last check of what is stored has found it damaged.
  add column repository_checksum_failed boolean not null default false,
  add column wiki_checksum_failed boolean not null default false;
create index projects_repository_checksum_failed on projects (id) where repository_checksum_failed;
create index projects_wiki_checksum_failed on projects (id) where wiki_checksum_failed;

-- What runners register with. Found by the digest, shown from the ciphertext.
create table runners_tokens (
  id bigint generated always as identity primary key,
  namespace_id bigint unique references namespaces on delete cascade,
  project_id bigint unique references projects on delete cascade,
  digest text not null unique,
  encrypted text not null,
  check (num_nonnulls(namespace_id, project_id) = 1)
);

-- Full paths that things had before. Whoever takes such a path anew has it: the row goes then.
create table redirect_routes (
  id bigint generated always as identity primary key,
  namespace_id bigint references namespaces on delete cascade,
  project_id bigint references projects on delete cascade,
  path text not null,
  check (num_nonnulls(namespace_id, project_id) = 1)
);
create unique index redirect_routes_path_key on redirect_routes (lower(path));
create index redirect_routes_namespace on redirect_routes (namespace_id);
create index redirect_routes_project on redirect_routes (project_id);

create table project_aliases (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null
);
create unique index project_aliases_name_key on project_aliases (lower(name));
create index project_aliases_project on project_aliases (project_id);
