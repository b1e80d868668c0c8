-- When the user of a session last gave their password: by signing in, or where a page asked for it again.
alter table sessions add confirmed_at timestamptz not null default now();
update sessions set confirmed_at = created_at;
