-- What a push may bring and a project may store, in MB; 0: any number. A project's own limit goes before that of the instance.
alter table application_settings
  add column receive_max_input_size integer not null default 0 check (receive_max_input_size >= 0),
  add column repository_size_limit integer not null default 0 check (repository_size_limit >= 0);
alter table projects add column repository_size_limit integer check (repository_size_limit >= 0);
