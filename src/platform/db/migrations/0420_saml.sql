-- Assertions of SAML identity providers. Each counts once: the row stays until the assertion has ended by itself.
create table saml_answers (
  id bigint generated always as identity primary key,
  -- Whose answer it is: a provider of the file, or the provider of a group.
  provider text not null,
  -- Of the assertion's id.
  assertion_digest text not null,
  -- Of the secret in the address that the browser is sent on to.
  digest text not null unique,
  -- What the assertion says; null once it was used.
  said jsonb,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  unique (provider, assertion_digest)
);
create index saml_answers_expires_at on saml_answers (expires_at);
