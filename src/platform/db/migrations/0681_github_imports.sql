-- Imports from GitHub's API; what of them is like an import of an archive is in project_imports.

create table github_imports (
  id bigint generated always as identity primary key,
  project_id bigint not null unique references projects on delete cascade,
  -- Where the API is, and the address of the repository for git.
  base_url text not null,
  clone_url text not null,
  repository_id bigint not null,
  -- The token for both, encrypted; gone when the import has ended.
  token text,
  -- Failed attempts in a row to reach the other server.
  attempts integer not null default 0,
  created_at timestamptz not null default now()
);
