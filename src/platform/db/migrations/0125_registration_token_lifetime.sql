-- The longest life of registration tokens of runners, in days; null for none. Tokens that exist begin theirs now.

alter table application_settings
  add column max_registration_token_lifetime integer check (max_registration_token_lifetime between 1 and 3650);

alter table runners_tokens add column created_at timestamptz not null default now();
