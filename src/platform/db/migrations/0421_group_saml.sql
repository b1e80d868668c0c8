-- The SAML identity provider of a top-level group: its people sign in to the group with it.
create table saml_providers (
  id bigint generated always as identity primary key,
  group_id bigint not null unique references namespaces on delete cascade,
  -- In addresses of sign-in, and as `provider` of identities: unguessable, so that it says nothing about the group.
  name text not null unique,
  issuer text not null,
  sso_url text not null,
  certificate text not null,
  default_membership_role integer not null,
  enabled boolean not null default true,
  -- Members who are no owners reach the group by a session that has signed in with it.
  enforced boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

alter table identities add column saml_provider_id bigint references saml_providers on delete cascade;
create index identities_saml_provider on identities (saml_provider_id);

-- Sessions that were begun in another way and have signed in with the provider of a group since.
create table session_sign_ons (
  session_id bigint not null references sessions on delete cascade,
  saml_provider_id bigint not null references saml_providers on delete cascade,
  signed_on_at timestamptz not null,
  primary key (session_id, saml_provider_id)
);
create index session_sign_ons_provider on session_sign_ons (saml_provider_id);
