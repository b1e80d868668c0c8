-- Addresses of commits that take no mail (src/identity/emails/private_email.ts): `7-ida@users.noreply.example.com`.
alter table application_settings
  add column commit_email_hostname text not null default 'users.noreply.localhost';

-- Until now kept for clients, without an effect.
update application_settings
   set commit_email_hostname = inert ->> 'commit_email_hostname'
 where inert ->> 'commit_email_hostname' ~ '^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$' and length(inert ->> 'commit_email_hostname') <= 253;
update application_settings set inert = inert - 'commit_email_hostname';

create function private_commit_email(user_id bigint, username text) returns text language sql stable as $$
  select user_id || '-' || username || '@' || commit_email_hostname from application_settings
$$;
