-- Git LFS: large files beside repositories.

-- One row for the same bytes, however many projects have them.
create table lfs_objects (
  id bigint generated always as identity primary key,
  -- SHA-256 of the bytes, hex; what pointers in repositories name.
  oid text not null constraint lfs_objects_oid_key unique check (oid ~ '^[0-9a-f]{64}$'),
  size bigint not null check (size >= 0),
  object_id bigint not null references stored_objects,
  created_at timestamptz not null default now()
);
create index lfs_objects_object on lfs_objects (object_id);

-- Which projects may read an object: those to which somebody has brought it.
create table lfs_objects_projects (
  project_id bigint not null references projects on delete cascade,
  lfs_object_id bigint not null references lfs_objects,
  primary key (project_id, lfs_object_id)
);
create index lfs_objects_projects_object on lfs_objects_projects (lfs_object_id);

create table lfs_locks (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  user_id bigint not null references users on delete cascade,
  path text not null,
  locked_at timestamptz not null default now(),
  constraint lfs_locks_path_key unique (project_id, path)
);
create index lfs_locks_user on lfs_locks (user_id);
