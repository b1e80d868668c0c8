-- Room in projects with a size limit that is taken by what comes and is not stored yet. Renewed by the process that stores it; what a process that
-- died has reserved is free again once it has expired.
create table storage_reservations (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  bytes bigint not null check (bytes >= 0),
  expires_at timestamptz not null
);
create index storage_reservations_project on storage_reservations (project_id);
