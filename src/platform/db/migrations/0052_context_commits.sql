-- Commits that a merge request builds upon, which are shown with it.

create table merge_request_context_commits (
  merge_request_id bigint not null references merge_requests on delete cascade,
  sha text not null,
  committed_at timestamptz not null,
  primary key (merge_request_id, sha)
);
