-- Snippets: of a person, or of a project. Their files are in git repositories of their own; the names of the files stand here too, so that lists
-- read no repository.
create table snippets (
  id bigint generated always as identity primary key,
  author_id bigint not null references users (id),
  project_id bigint references projects (id) on delete cascade,
  title text not null,
  description text,
  visibility text not null check (visibility in ('private', 'internal', 'public')),
  repository_storage text not null default 'default',
  default_branch text not null,
  file_paths text[] not null default '{}',
  repository_size bigint not null default 0,
  user_agent text not null default '',
  ip_address text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index snippets_author on snippets (author_id, id desc);
create index snippets_project on snippets (project_id, id desc) where project_id is not null;
create index snippets_open on snippets (visibility, id desc) where project_id is null;

-- What was deleted and still has a repository on disk: the rows go with their project, the repositories are removed afterwards.
create table deleted_snippets (
  id bigint primary key,
  repository_storage text not null
);

create function keep_deleted_snippet() returns trigger language plpgsql as $$
begin
  insert into deleted_snippets (id, repository_storage) values (old.id, old.repository_storage);
  return null;
end
$$;

create trigger keep_deleted_snippet after delete on snippets for each row execute function keep_deleted_snippet();

alter table application_settings add column snippet_size_limit bigint not null default 52428800 check (snippet_size_limit > 0);
alter table application_settings add column default_snippet_visibility text not null default 'private'
  check (default_snippet_visibility in ('private', 'internal', 'public'));
