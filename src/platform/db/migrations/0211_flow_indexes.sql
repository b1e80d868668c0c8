-- What was closed, and merged, in a span of time (analytics; drafts of release notes).
create index issues_project_closed_at on issues (project_id, closed_at) where closed_at is not null;
create index merge_requests_project_merged_at on merge_requests (project_id, merged_at) where merged_at is not null;
