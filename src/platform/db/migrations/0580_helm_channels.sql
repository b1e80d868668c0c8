-- Charts of Helm: a chart is in each channel that it was published to.

alter table package_files
  -- Null for files of other package managers.
  add column channel text check (length(channel) between 1 and 255),
  -- What the index says of this file.
  add column metadata json not null default '{}';
create index package_files_channel on package_files (channel, file_name, id) where channel is not null;
