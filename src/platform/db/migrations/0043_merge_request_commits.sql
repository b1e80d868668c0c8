-- The commits of the latest version of each merge request, by which merge requests are found.
create table merge_request_commits (
  merge_request_id bigint not null references merge_requests on delete cascade,
  sha text not null,
  primary key (merge_request_id, sha)
);
create index merge_request_commits_sha on merge_request_commits (sha, merge_request_id);
create index merge_requests_squash_commit on merge_requests (project_id, squash_commit_sha) where squash_commit_sha is not null;
create index merge_requests_merged_commit on merge_requests (project_id, merged_commit_sha) where merged_commit_sha is not null;
