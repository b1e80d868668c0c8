-- Where members sign in with the provider of a group before they reach it in the browser, git can ask for such a session too.
alter table saml_providers add column git_check_enforced boolean not null default false;
