-- Files outside of git: where their bytes are in the object store.

-- Written when the bytes are there, by the transaction that names them from a row of its own. A row that no foreign key
-- names any more is deleted within the hour, and its bytes with it.
create table stored_objects (
  id bigint generated always as identity primary key,
  key text not null constraint stored_objects_key_key unique,
  -- In bytes.
  size bigint not null check (size >= 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now()
);
create index stored_objects_created_at on stored_objects (created_at);
