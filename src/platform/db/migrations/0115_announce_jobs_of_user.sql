-- Jobs of a user who is active again are pending for runners again: runners that wait, or ask again, look for them.
create function announce_jobs_of_user() returns trigger language plpgsql as $$
begin
  perform pg_notify('ingot_runner_queue', id::text) from jobs where user_id = new.id and status = 'pending' and kind = 'build';
  return null;
end $$;
create trigger announce_jobs_of_user after update of state on users
  for each row when (new.state = 'active' and old.state <> 'active') execute function announce_jobs_of_user();
