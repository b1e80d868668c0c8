-- The user whom an administrator acts as in this session. It ends with the session, and where the account is deleted.
alter table sessions add acting_as_id bigint references users on delete set null check (acting_as_id <> user_id);
create index sessions_acting_as on sessions (acting_as_id);
