-- What a provider calls the session there that a session here was begun by (SAML single logout): the name of the person and of the session.
alter table sessions add column provider_session jsonb;
create index sessions_named_by_provider on sessions (provider, (provider_session ->> 'nameId')) where provider_session is not null;
alter table pending_sign_ins add column provider_session jsonb;
alter table session_sign_ons add column provider_session jsonb;
-- Where the provider of a group takes requests to sign out, and the answers to its own.
alter table saml_providers add column slo_url text;
