-- Images of another registry that groups keep after they were pulled through them.

-- When everything that a group kept was last removed by request.
create table dependency_proxy_purges (
  namespace_id bigint primary key references namespaces (id) on delete cascade,
  purged_at timestamptz not null
);

create table dependency_proxy_manifests (
  id bigint generated always as identity primary key,
  namespace_id bigint not null references namespaces (id) on delete cascade,
  -- The name of the image there: `library/alpine`.
  image text not null,
  -- A tag or a digest.
  reference text not null,
  digest text not null,
  media_type text not null,
  payload bytea not null,
  -- In whole days: it is not written at every pull.
  read_on date not null,
  constraint dependency_proxy_manifests_reference_key unique (namespace_id, image, reference)
);
create index dependency_proxy_manifests_read_on on dependency_proxy_manifests (read_on);

create table dependency_proxy_blobs (
  id bigint generated always as identity primary key,
  namespace_id bigint not null references namespaces (id) on delete cascade,
  digest text not null,
  object_id bigint not null references stored_objects (id),
  read_on date not null,
  constraint dependency_proxy_blobs_digest_key unique (namespace_id, digest)
);
create index dependency_proxy_blobs_object_id on dependency_proxy_blobs (object_id);
create index dependency_proxy_blobs_read_on on dependency_proxy_blobs (read_on);
