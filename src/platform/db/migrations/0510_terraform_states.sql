-- States of Terraform: what it knows of the infrastructure that a project describes.

create table terraform_states (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  name text not null,
  -- The ID of the lock; null where it is not locked.
  lock_id text,
  -- What the client said when it took the lock: operation, version of the program and the like.
  lock_info json,
  locked_by_id bigint references users on delete set null,
  locked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (project_id, name),
  check ((lock_id is null) = (lock_info is null) and (lock_id is null) = (locked_at is null))
);
create index terraform_states_locked_by on terraform_states (locked_by_id);

create table terraform_state_versions (
  id bigint generated always as identity primary key,
  terraform_state_id bigint not null references terraform_states on delete cascade,
  -- The number by which Terraform counts its versions.
  serial bigint not null check (serial >= 0),
  -- Encrypted: states hold passwords.
  content text not null,
  creator_id bigint references users on delete set null,
  job_id bigint references jobs on delete set null,
  created_at timestamptz not null default now(),
  unique (terraform_state_id, serial)
);
create index terraform_state_versions_newest on terraform_state_versions (terraform_state_id, id);
create index terraform_state_versions_creator on terraform_state_versions (creator_id);
create index terraform_state_versions_job on terraform_state_versions (job_id);
