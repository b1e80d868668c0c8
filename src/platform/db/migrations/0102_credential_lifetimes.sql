-- The longest lives of credentials, in days; null for none.

alter table application_settings
  add column max_personal_access_token_lifetime integer check (max_personal_access_token_lifetime between 1 and 3650),
  add column max_ssh_key_lifetime integer check (max_ssh_key_lifetime between 1 and 3650),
  add column max_deploy_token_lifetime integer check (max_deploy_token_lifetime between 1 and 3650),
  add column max_trigger_token_lifetime integer check (max_trigger_token_lifetime between 1 and 3650),
  add column max_scim_token_lifetime integer check (max_scim_token_lifetime between 1 and 3650);
