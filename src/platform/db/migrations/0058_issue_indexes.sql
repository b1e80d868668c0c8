-- An issue has a place in every index that has one for it, from when it is made. What most issues never have is not indexed where they do
-- not have it.
drop index issues_closed_by, issues_duplicated_to, issues_epic, issues_iteration, issues_last_edited_by, issues_milestone, issues_moved_to;
create index issues_closed_by on issues (closed_by_id) where closed_by_id is not null;
create index issues_duplicated_to on issues (duplicated_to_id) where duplicated_to_id is not null;
create index issues_epic on issues (epic_id, epic_position, id) where epic_id is not null;
create index issues_iteration on issues (iteration_id, id) where iteration_id is not null;
create index issues_last_edited_by on issues (last_edited_by_id) where last_edited_by_id is not null;
create index issues_milestone on issues (milestone_id, id) where milestone_id is not null;
create index issues_moved_to on issues (moved_to_id) where moved_to_id is not null;

-- The same for events, most of which are of projects.
drop index events_namespace;
create index events_namespace on events (namespace_id) where namespace_id is not null;
