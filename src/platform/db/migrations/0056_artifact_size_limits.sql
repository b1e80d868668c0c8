-- How large artifacts may be, by type, where that is not what the type has by itself (src/ci/artifacts/types.ts).

create table artifact_size_limits (
  file_type text primary key,
  -- 0: any size.
  megabytes integer not null check (megabytes >= 0)
);
