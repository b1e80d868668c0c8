-- Files that people attach to what they write in a project.
create table uploads (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  object_id bigint not null references stored_objects,
  uploader_id bigint references users on delete set null,
  -- Part of the address: nobody finds a file by counting.
  secret text not null,
  filename text not null,
  -- Of an image, by its content; null for whatever is not shown by browsers.
  image_type text,
  created_at timestamptz not null default now(),
  constraint uploads_secret_key unique (project_id, secret)
);
create index uploads_object on uploads (object_id);
create index uploads_uploader on uploads (uploader_id);

-- Whose avatar goes with an email (GET /avatar).
create index users_public_email on users (lower(public_email)) where public_email <> '';
