-- Who must have a second factor, besides the members of groups that say so, and hours that they have for setting one up.
alter table application_settings
  add column require_two_factor_authentication boolean not null default false,
  add column require_admin_two_factor_authentication boolean not null default false,
  add column two_factor_grace_period integer not null default 48;

-- When a user first came who must have a second factor and has none: their time begins then.
alter table users add column two_factor_grace_from timestamptz;

create index namespaces_requiring_two_factor on namespaces (id) where require_two_factor_authentication;
