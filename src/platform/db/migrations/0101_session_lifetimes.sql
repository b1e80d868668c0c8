-- Sessions end after a time without use, and at an age.

alter table application_settings
  -- Minutes.
  add column session_expire_delay integer not null default 10080 check (session_expire_delay between 1 and 525600),
  -- Days.
  add column max_session_lifetime integer not null default 30 check (max_session_lifetime between 1 and 3650);
