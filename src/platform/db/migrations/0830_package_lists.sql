-- Packages by a part of their name.
create index packages_name_trgm on packages using gin (name gin_trgm_ops);
-- Those that a list shows unless it asks for others: they are counted by it.
create index packages_shown on packages (project_id, id) where version is not null and status in ('default', 'error');
-- Those that few packages are like.
create index packages_of_status on packages (project_id, status, id) where status <> 'default';
