-- The link of an invitation that was sent by mail, by the digest of its secret. Invitations of before have none.
alter table invitations add column digest text;
create unique index invitations_digest on invitations (digest);
