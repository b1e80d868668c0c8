-- How lists of merge requests find what few have in common, and walk along titles.
create index merge_requests_title on merge_requests (title, id);
create index merge_requests_project_title on merge_requests (project_id, title, id);
create index merge_requests_source_branch on merge_requests (source_branch, project_id, id);
create index merge_requests_target_branch on merge_requests (target_branch, project_id, id);
create index merge_requests_drafts on merge_requests (project_id, id) where draft;
