-- Which files of a merge request a person has viewed, with the contents that they saw: the mark is of these contents alone.
create table viewed_files (
  merge_request_id bigint not null references merge_requests on delete cascade,
  user_id bigint not null references users on delete cascade,
  -- sha1, since paths may be longer than an index takes
  path_sha text not null check (length(path_sha) = 40),
  path text not null,
  blob_id text not null,
  viewed_at timestamptz not null,
  primary key (merge_request_id, user_id, path_sha)
);
create index viewed_files_user_id on viewed_files (user_id);

-- Which version of a merge request a person saw last, and which one before it: a reload must not make the difference between them disappear.
create table seen_versions (
  merge_request_id bigint not null references merge_requests on delete cascade,
  user_id bigint not null references users on delete cascade,
  version_id bigint not null references merge_request_versions on delete cascade,
  previous_version_id bigint references merge_request_versions on delete set null,
  seen_at timestamptz not null,
  primary key (merge_request_id, user_id)
);
create index seen_versions_user_id on seen_versions (user_id);
create index seen_versions_version_id on seen_versions (version_id);
create index seen_versions_previous_version_id on seen_versions (previous_version_id);
