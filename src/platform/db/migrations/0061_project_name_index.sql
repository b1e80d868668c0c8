-- The projects of somebody's groups are found by their ids alone, by the index that knows the projects of each namespace.
drop index projects_name_key;
create unique index projects_name_key on projects (namespace_id, name) include (id);
