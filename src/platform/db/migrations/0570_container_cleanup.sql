-- The removal of many tags of a repository in one step.

alter table container_repositories
  -- When the policy of the project last began to remove tags here.
  add column cleanup_started_at timestamptz,
  -- When a user last asked for it.
  add column cleanup_requested_at timestamptz;
