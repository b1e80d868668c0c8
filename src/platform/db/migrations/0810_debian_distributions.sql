-- Distributions of Debian packages, of projects and groups, with the key that signs their indexes. Packages are in them by the codename, which is
-- the channel of their files.

create table debian_distributions (
  id bigint generated always as identity primary key,
  project_id bigint references projects on delete cascade,
  namespace_id bigint references namespaces on delete cascade,
  codename text not null check (length(codename) between 1 and 255),
  suite text check (length(suite) between 1 and 255),
  origin text check (length(origin) between 1 and 255),
  label text check (length(label) between 1 and 255),
  version text check (length(version) between 1 and 255),
  description text check (length(description) <= 1000),
  valid_time_duration_seconds integer check (valid_time_duration_seconds > 0),
  components text[] not null,
  architectures text[] not null,
  -- Armoured; the private one is encrypted.
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(project_id, namespace_id) = 1)
);
create unique index debian_distributions_of_project on debian_distributions (project_id, codename) where project_id is not null;
create unique index debian_distributions_of_group on debian_distributions (namespace_id, codename) where namespace_id is not null;

-- What a distribution lists, signed, as of a state of its packages. The last ones are kept: a client asks for the parts by their digests later.
create table debian_releases (
  id bigint generated always as identity primary key,
  distribution_id bigint not null references debian_distributions on delete cascade,
  -- A digest of the distribution and of the files that it lists.
  state text not null,
  -- Whose packages it lists.
  project_ids bigint[] not null,
  release text not null,
  signature text not null,
  in_release text not null,
  created_at timestamptz not null default now(),
  constraint debian_releases_state_key unique (distribution_id, state)
);

create table debian_indexes (
  id bigint generated always as identity primary key,
  release_id bigint not null references debian_releases on delete cascade,
  -- Below the folder of the distribution: `main/binary-amd64/Packages`.
  path text not null,
  -- SHA-256, hexadecimal: of the index, and of it compressed.
  sha256 text not null,
  compressed_sha256 text not null,
  compressed bytea not null,
  constraint debian_indexes_path_key unique (release_id, path)
);
