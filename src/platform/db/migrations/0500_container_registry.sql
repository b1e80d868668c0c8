-- The container registry: repositories of images below a project, their manifests and tags, and blobs that are kept once.

create table container_repositories (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  -- Below the path of the project; empty for the one that has the path itself.
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint container_repositories_name_key unique (project_id, name)
);

-- Bytes by their digest, once for all repositories.
create table container_blobs (
  id bigint generated always as identity primary key,
  digest text not null,
  size bigint not null check (size >= 0),
  object_id bigint not null references stored_objects,
  created_at timestamptz not null default now(),
  constraint container_blobs_digest_key unique (digest)
);
create index container_blobs_object on container_blobs (object_id);

-- Which blobs a repository has: what is not linked here cannot be read through it.
create table container_repository_blobs (
  repository_id bigint not null references container_repositories on delete cascade,
  blob_id bigint not null references container_blobs,
  -- When a client uploaded it, mounted it or asked for it in order to push: it is kept for a while from then on without any manifest.
  linked_at timestamptz not null default now(),
  primary key (repository_id, blob_id)
);
create index container_repository_blobs_blob on container_repository_blobs (blob_id);
create index container_repository_blobs_linked on container_repository_blobs (linked_at);

create table container_manifests (
  id bigint generated always as identity primary key,
  repository_id bigint not null references container_repositories on delete cascade,
  digest text not null,
  media_type text not null,
  artifact_type text,
  -- The manifest that this one is about; it may come later, or never.
  subject_digest text,
  annotations json,
  payload bytea not null,
  size bigint not null,
  -- Of an image: that of its configuration.
  config_digest text,
  -- Of the layers; of an index: those of its images together.
  total_size bigint not null default 0,
  -- When the image was made, as it says itself; else when it was pushed.
  image_created_at timestamptz not null,
  -- When the last tag or index that named it went away; null for what has one, and for what never had any.
  untagged_at timestamptz,
  created_at timestamptz not null default now(),
  constraint container_manifests_digest_key unique (repository_id, digest)
);
create index container_manifests_subject on container_manifests (repository_id, subject_digest, id) where subject_digest is not null;
create index container_manifests_untagged on container_manifests (untagged_at) where untagged_at is not null;

-- The blobs that manifests name. The check of the link waits for the end of the transaction, since a project takes both with it.
create table container_manifest_blobs (
  manifest_id bigint not null references container_manifests on delete cascade,
  repository_id bigint not null,
  blob_id bigint not null,
  primary key (manifest_id, blob_id),
  foreign key (repository_id, blob_id) references container_repository_blobs deferrable initially deferred
);
create index container_manifest_blobs_link on container_manifest_blobs (repository_id, blob_id);

-- The manifests that an index names.
create table container_manifest_children (
  parent_id bigint not null references container_manifests on delete cascade,
  child_id bigint not null references container_manifests on delete cascade,
  primary key (parent_id, child_id)
);
create index container_manifest_children_child on container_manifest_children (child_id);

create table container_tags (
  id bigint generated always as identity primary key,
  repository_id bigint not null references container_repositories on delete cascade,
  name text collate "C" not null,
  manifest_id bigint not null references container_manifests on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint container_tags_name_key unique (repository_id, name)
);
create index container_tags_manifest on container_tags (manifest_id);

-- Blobs on their way, in the parts in which they come.
create table container_uploads (
  id uuid primary key default gen_random_uuid(),
  repository_id bigint not null references container_repositories on delete cascade,
  size bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index container_uploads_repository on container_uploads (repository_id);
create index container_uploads_updated on container_uploads (updated_at);

create table container_upload_parts (
  upload_id uuid not null references container_uploads on delete cascade,
  -- Of its first byte.
  start bigint not null,
  size bigint not null check (size > 0),
  object_id bigint not null references stored_objects,
  primary key (upload_id, start)
);
create index container_upload_parts_object on container_upload_parts (object_id);

-- Policies that are due are found by this.
create index projects_container_cleanup on projects ((container_expiration_policy ->> 'next_run_at'))
 where container_expiration_policy ->> 'enabled' = 'true';

-- In minutes.
alter table application_settings add column container_registry_token_expire_delay integer not null default 5;
update application_settings
   set container_registry_token_expire_delay = greatest(1, (inert ->> 'container_registry_token_expire_delay')::integer),
       inert = inert - 'container_registry_token_expire_delay'
 where inert ? 'container_registry_token_expire_delay';
