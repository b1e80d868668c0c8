-- `enabled_by` is who made the latest token, an administrator too: it gives roles only while they could make it today.
-- Tokens that an administrator made before have it from the audit log; where that says nothing, an owner has to renew the token.
update scim_tokens set enabled_by = (
  select u.id from audit_events a join users u on u.id = a.author_id
   where a.kind = 'scim_token.changed' and a.entity_type = 'Group' and a.entity_id = scim_tokens.group_id
   order by a.id desc limit 1)
 where enabled_by is null;
