-- Packages: what projects publish for package managers.

create table packages (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  package_type text not null check (package_type in
    ('maven', 'npm', 'conan', 'nuget', 'pypi', 'composer', 'generic', 'golang', 'debian', 'rubygems', 'helm', 'terraform_module')),
  name text not null,
  -- The name as package managers of its type compare it.
  lookup_name text not null,
  -- Null: what is about all versions, as the metadata of Maven.
  version text,
  status text not null default 'default' check (status in ('default', 'hidden', 'processing', 'error')),
  -- What the index of its type says of this version.
  metadata json not null default '{}',
  creator_id bigint references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index packages_version on packages (project_id, package_type, lookup_name, coalesce(version, ''));
create index packages_created on packages (project_id, created_at, id);
create index packages_lookup on packages (package_type, lookup_name, id);
create index packages_creator on packages (creator_id);

create table package_files (
  id bigint generated always as identity primary key,
  package_id bigint not null references packages on delete cascade,
  -- Files with the same bytes share an object.
  object_id bigint not null references stored_objects,
  file_name text not null,
  size bigint not null check (size >= 0),
  -- Hexadecimal; only those that the clients of its type ask for.
  file_sha256 text not null,
  file_sha1 text,
  file_md5 text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index package_files_name on package_files (package_id, file_name, id);
create index package_files_object on package_files (object_id);
create index package_files_sha256 on package_files (file_sha256);

-- Which pipelines made a package, or one of its files.
create table package_build_infos (
  id bigint generated always as identity primary key,
  package_id bigint not null references packages on delete cascade,
  package_file_id bigint references package_files on delete cascade,
  pipeline_id bigint not null references pipelines on delete cascade
);
create unique index package_build_infos_package on package_build_infos (package_id, pipeline_id) where package_file_id is null;
create unique index package_build_infos_file on package_build_infos (package_file_id, pipeline_id);
create index package_build_infos_of_package on package_build_infos (package_id);
create index package_build_infos_pipeline on package_build_infos (pipeline_id);

-- Names for versions, which move: the dist-tags of npm.
create table package_tags (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  package_id bigint not null references packages on delete cascade,
  -- Of the package: a tag names one of its versions.
  lookup_name text not null,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint package_tags_name_key unique (project_id, lookup_name, name)
);
create index package_tags_package on package_tags (package_id);

-- In bytes, the limits of the public API; 0 for no limit.
alter table plan_limits
  add column conan_max_file_size bigint not null default 3221225472,
  add column generic_packages_max_file_size bigint not null default 5368709120,
  add column maven_max_file_size bigint not null default 3221225472,
  add column npm_max_file_size bigint not null default 524288000,
  add column nuget_max_file_size bigint not null default 524288000,
  add column pypi_max_file_size bigint not null default 3221225472;
