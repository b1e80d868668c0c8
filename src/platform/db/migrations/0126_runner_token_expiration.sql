-- How long tokens of runners live, in seconds and by the type of the runner; null for ever. Tokens that exist begin their life now.

alter table application_settings
  add column runner_token_expiration_interval integer check (runner_token_expiration_interval >= 7200),
  add column group_runner_token_expiration_interval integer check (group_runner_token_expiration_interval >= 7200),
  add column project_runner_token_expiration_interval integer check (project_runner_token_expiration_interval >= 7200);

alter table runners add column token_created_at timestamptz not null default now();

-- What is known of runners says when their tokens end (src/ci/runner_protocol/known_runners.ts).
create function announce_runner_settings() returns trigger language plpgsql as $$
begin
  perform pg_notify('ingot_runner_queue', 'runners');
  return null;
end $$;
create trigger announce_runner_settings
  after update of runner_token_expiration_interval, group_runner_token_expiration_interval, project_runner_token_expiration_interval
  on application_settings
  for each row execute function announce_runner_settings();
