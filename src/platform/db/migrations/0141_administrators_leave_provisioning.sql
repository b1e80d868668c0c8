-- An account that becomes an administrator is no longer its provider's to change, also after it ends to be one.
create function release_provisioned_administrator() returns trigger language plpgsql as $$
begin
  update provisioned_users set group_id = null where user_id = new.id;
  return null;
end $$;
create trigger release_provisioned_administrator after update of admin on users
  for each row when (new.admin and not old.admin) execute function release_provisioned_administrator();

update provisioned_users set group_id = null where user_id in (select id from users where admin);
